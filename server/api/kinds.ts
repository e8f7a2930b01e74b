/**
 * The kinds of transactions, and the subjects of the events about them. The store, the metrics, the history, the OpenAPI
 * document and the commands derive what they know about kinds from these tables.
 */

import type { EventSubject, EventType } from './events.ts'
import { z } from 'zod'
import { AIRTIME_OUTCOMES, TrackedRecipient } from './airtime.ts'
import { TrackedCharge } from './charge.ts'
import { TrackedPayout } from './payout.ts'
import { TRACKED_OUTCOMES } from './tracked.ts'
import { CheckoutViewSchema } from './view-schema.ts'
import { OUTCOMES } from './view.ts'

/** The outcomes of each kind. */
export const KINDS = {
  checkout: z.enum(OUTCOMES),
  payout: z.enum(TRACKED_OUTCOMES),
  charge: z.enum(TRACKED_OUTCOMES),
  airtime: z.enum(AIRTIME_OUTCOMES),
}

export const KindName = z.keyof(z.object(KINDS))
export type KindName = z.output<typeof KindName>

/**
 * For each subject, which is the part of an event's type before the dot, the schema of the event's `data`, and the
 * fields in it that identify the event's transaction.
 */
export const SUBJECTS = {
  checkout: { data: CheckoutViewSchema, names: ['order'] },
  payout: { data: TrackedPayout, names: ['payout_reference'] },
  b2b: { data: TrackedPayout, names: ['payout_reference'] },
  charge: { data: TrackedCharge, names: ['external_reference'] },
  airtime: { data: TrackedRecipient, names: ['reference', 'phone_number'] },
} satisfies Readonly<Record<EventSubject, { data: z.ZodType; names: readonly string[] }>>

/** Returns the subject of an event of this type, and the rest of the type. */
export function splitType(type: EventType): [EventSubject, string] {
  const [subject = '', rest = ''] = type.split('.')
  if (!isSubject(subject)) throw new Error(`${type} has no subject.`)
  return [subject, rest]
}

export function isSubject(text: string): text is EventSubject {
  return Object.hasOwn(SUBJECTS, text)
}
