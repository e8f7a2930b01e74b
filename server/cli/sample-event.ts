/** Makes up the body of an event, with which a merchant tries a webhook. Pure. */

import type { EventSubject, EventType } from '../api/events.ts'
import { z } from 'zod'
import { TrackedRecipient } from '../api/airtime.ts'
import { TrackedCharge } from '../api/charge.ts'
import { TrackedPayout } from '../api/payout.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'

const DATA: Readonly<Record<EventSubject, z.ZodType>> = {
  checkout: CheckoutViewSchema,
  payout: TrackedPayout,
  b2b: TrackedPayout,
  airtime: TrackedRecipient,
  charge: TrackedCharge,
}

/** The fields that identify what an event is about. Their values can belong to nothing that exists. */
const REFERENCES = [
  'order',
  'checkout_id',
  'merchant_transaction_id',
  'payout_reference',
  'reference',
  'external_reference',
]

/** The end of an event type where the outcome has another name. */
const OUTCOMES: Readonly<Record<string, string>> = {
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
const STATUSES: Readonly<Record<string, number>> = {
  paid: 801,
  partial: 802,
  unpaid: 803,
  expired: 820,
  reversed: 840,
  refunded: 841,
  review: 801,
  jammed: 850,
}

const JsonSchema = z.looseObject({
  examples: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
})

/** Returns the body of an event of this type, as JSON text. */
export function sampleEvent(type: EventType, reference: string, timestamp: string): string {
  const [subject, end] = splitType(type)
  const example = Object.entries(Object(exampleOf(z.toJSONSchema(DATA[subject], { unrepresentable: 'any' }))))
  const outcome = subject === 'checkout' ? (OUTCOMES[end] ?? end) : end
  const given: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(REFERENCES.map((name) => [name, reference])),
    outcome,
    settled: end !== 'needs_attention',
    environment: 'sandbox',
    ...(subject === 'checkout' && { status: STATUSES[outcome] ?? null }),
  }
  const data = Object.fromEntries(example.map(([name, value]) => [name, name in given ? given[name] : value]))
  return JSON.stringify({ type, timestamp, data })
}

function splitType(type: EventType): [EventSubject, string] {
  const [subject, end = ''] = type.split('.')
  const known = Object.keys(DATA).find((each): each is EventSubject => each === subject)
  if (!known) throw new Error(`${type} has no subject.`)
  return [known, end]
}

/** Returns an example of a JSON schema: the one that it states, or one that is put together from its fields. */
function exampleOf(schema: unknown): unknown {
  const { success, data } = JsonSchema.safeParse(schema)
  if (!success) return null
  if (data.examples?.length) return data.examples[0]
  if ('const' in data) return data.const
  if (data.enum) return data.enum[0]
  if (data.anyOf) return exampleOf(data.anyOf[0])
  if (data.type !== 'object') return EMPTY[data.type ?? ''] ?? null
  return Object.fromEntries(
    Object.entries(data.properties ?? {})
      .filter(([name]) => data.required?.includes(name))
      .map(([name, property]) => [name, exampleOf(property)]),
  )
}

/** Values of types without an example. */
const EMPTY: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: false,
  integer: 0,
  number: 0,
  string: '',
}
