/** The shapes that go in and out, as JSON Schema made from what parses and writes them. */

import { z } from 'zod'
import { Balance } from '../../contract/account.ts'
import { B2bRequest } from '../../contract/b2b.ts'
import { ChargeRequest } from '../../contract/charge.ts'
import { optionalText } from '../../contract/fields.ts'
import { PayoutRequest, TransferRequest } from '../../contract/payout.ts'
import { Problem } from '../../api/problem.ts'
import { Rates } from '../../contract/rates.ts'
import { Quote } from '../../money/quote.ts'
import { AirtimeOrder, ListedAirtime, TrackedAirtime } from '../../api/airtime.ts'
import { TrackedCharge, TrackedFulfilment } from '../../api/charge.ts'
import { TrackedPayout } from '../../api/payout.ts'
import { AcknowledgeBody } from '../api/charges.ts'
import { ListedEvent, Replayed } from '../api/events.ts'
import { History } from '../api/history.ts'
import { InitiateForm } from '../checkout.ts'
import { pageOf } from '../listing.ts'
import { ViewSchema } from '../view-schema.ts'
import { FIELDS } from './fields.ts'

const REQUESTS = {
  InitiateForm,
  PayoutRequest,
  TransferRequest,
  B2bRequest,
  // The configuration knows these.
  ChargeRequest: ChargeRequest.partial({ account_number: true, service_code: true }),
  AcknowledgeBody,
  AirtimeOrder,
}

const ANSWERS = {
  CheckoutView: ViewSchema,
  Views: pageOf(ViewSchema),
  TrackedPayout,
  TrackedPayouts: pageOf(TrackedPayout),
  TrackedCharge,
  TrackedCharges: pageOf(TrackedCharge),
  TrackedFulfilment,
  TrackedAirtime,
  ListedAirtime,
  AirtimeList: pageOf(ListedAirtime),
  ListedEvent,
  ListedEvents: pageOf(ListedEvent),
  Replayed,
  History,
  Rates,
  Quote,
  Balance,
  Received: z.object({ received: z.literal(true) }),
  Health: z.object({ status: z.enum(['live', 'ready']) }),
  Problem,
}

export type SchemaName = keyof typeof REQUESTS | keyof typeof ANSWERS

export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  [keyword: string]: unknown
}

const JsonSchema: z.ZodType<JsonSchema> = z.looseObject({
  properties: z
    .record(
      z.string(),
      z.lazy(() => JsonSchema),
    )
    .exactOptional(),
  required: z.array(z.string()).exactOptional(),
})

export function referTo(name: SchemaName): string {
  return `#/components/schemas/${name}`
}

export function componentSchemas(): Record<string, JsonSchema> {
  const requests = Object.entries(written(REQUESTS, 'input'))
  return {
    ...Object.fromEntries(requests.map(([name, schema]) => [name, asTheMerchantSendsIt(schema)])),
    ...written(ANSWERS, 'output'),
  }
}

export function querySchema(query: z.ZodObject): JsonSchema {
  return JsonSchema.parse(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }))
}

function written(schemas: Record<string, z.ZodType>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === optionalText) jsonSchema.type = ['string', 'null']
    },
  })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, schema]) => {
      // Both name the schema for a file of its own; here it is a part of the document.
      const { $schema: _schema, $id: _id, ...rest } = JsonSchema.parse(schema)
      return [name, rest]
    }),
  )
}

/** Without `callback_url`, which is ours to set, and with what each field is for. */
function asTheMerchantSendsIt(schema: JsonSchema): JsonSchema {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'callback_url')
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...field, ...(FIELDS[name] && { description: FIELDS[name] }) }]),
    ),
    required: (schema.required ?? []).filter((name) => name !== 'callback_url'),
  }
}
