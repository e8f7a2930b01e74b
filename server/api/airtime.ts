/** Defines the schemas of `/api/airtime`: the request body and the responses. */

import { z } from 'zod'

import { AirtimeRecipient, recipientsOf } from '../contract/airtime.ts'
import { field, text, textOrNull } from '../contract/openapi-field.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import { attention, commonFields, standing, version } from './tracked.ts'

import type { TrackedOutcome } from './tracked.ts'

/**
 * The maximum number of recipients in one `POST /api/airtime`. [assumed] One process can handle this number of
 * recipients in one request.
 */
export const MAX_RECIPIENTS_AT_ONCE = 100_000

const REFERENCE = 'AIRTIME-2026-11-0001'
const reference = text('Your reference of the list.', REFERENCE)
const external_reference = text(
  'Reference of the request to the gateway that holds the recipient.',
  `${REFERENCE}-1`,
)

/**
 * The body of `POST /api/airtime`. The server sends the recipients to the gateway in one or more requests, each with at
 * most 1,000 recipients.
 */
export const AirtimeOrder = z
  .object({
    reference: text('Your reference, the idempotency key. 1–64 characters, unique over airtime.', REFERENCE),
    recipients: field(
      recipientsOf(AirtimeRecipient, MAX_RECIPIENTS_AT_ONCE),
      `1–${MAX_RECIPIENTS_AT_ONCE / 1_000},000 recipients, each phone number once. Sent in requests of 1,000.`,
    ),
  })
  .meta({ id: 'AirtimeOrder', description: 'A list of recipients of airtime.' })
export type AirtimeOrder = z.output<typeof AirtimeOrder>

/**
 * The possible outcomes of several recipients together: all recipients of one `POST /api/airtime`, or of one request to
 * the gateway.
 */
export const AIRTIME_OUTCOMES = [
  'sending',
  'pending',
  'needs_attention',
  'succeeded',
  /** Every recipient is settled. Some recipients received airtime, and some did not. */
  'partial',
  'failed',
] as const
export type AirtimeOutcome = (typeof AIRTIME_OUTCOMES)[number]

/** A recipient in the responses of `/api/airtime` and in the `data` of `airtime.*` events. */
export const TrackedRecipient = z
  .object({
    reference,
    phone_number: text(
      'Phone number, digits only. *** from 30 days after settlement, and for a recipient whom you did not name.',
      '254700000001',
    ),
    amount: textOrNull(
      'Requested amount, as decimal text in major units of the local currency. Null for a recipient whom you did not name.',
      '100.00',
    ),
    ...standing,
    service_status: field(
      z.literal(Object.values(AIRTIME_STATUS)).nullable(),
      "The gateway's service status. Null before the gateway reports one.",
    ),
    message: textOrNull(
      "The gateway's text about this recipient, or on the rejection of the request. Null when there is none.",
      'Successful',
    ),
    provider_reference: textOrNull("The operator's reference. Null before there is one.", 'QK71P0ZX'),
    correlation_id: textOrNull("The gateway's correlation id. Null before there is one.", '0f6cbb3a'),
    external_reference,
    attention,
  })
  .meta({ id: 'TrackedRecipient', description: 'A recipient of airtime with its state.' })
export type TrackedRecipient = z.output<typeof TrackedRecipient>

const SUBTOTAL = z.object({
  count: field(z.int().min(0), 'Number of recipients.', 2),
  amount: text(
    'Sum of the requested amounts, as decimal text in major units; of recipients in several countries, in several currencies.',
    '150.00',
  ),
})
const subtotalOf = (recipients: string) => SUBTOTAL.meta({ description: `Recipients ${recipients}.` })
export type Subtotal = z.output<typeof SUBTOTAL>

/** The number of recipients and the sum of their requested amounts, for each outcome and in total. */
export const AirtimeSummary = z
  .object({
    total: subtotalOf('in all'),
    sending: subtotalOf('with outcome sending'),
    pending: subtotalOf('with outcome pending'),
    succeeded: subtotalOf('with outcome succeeded'),
    failed: subtotalOf('with outcome failed'),
    reversed: subtotalOf('with outcome reversed'),
    refunded: subtotalOf('with outcome refunded'),
    needs_attention: subtotalOf('with outcome needs_attention'),
  } satisfies Record<TrackedOutcome | 'total', z.ZodType<Subtotal>>)
  .meta({ id: 'AirtimeSummary', description: 'Recipients counted and summed by outcome.' })
export type AirtimeSummary = z.output<typeof AirtimeSummary>

const Tracked = z.object({
  reference,
  outcome: field(
    z.enum(AIRTIME_OUTCOMES),
    'Outcome of all recipients: the most urgent of needs_attention, sending and pending; otherwise succeeded, failed, or partial for both.',
  ),
  settled: field(z.boolean(), 'Whether every recipient is settled.'),
  summary: AirtimeSummary,
  ...commonFields,
})

export const TrackedAirtime = Tracked.extend({
  requests: field(z.int().min(1), 'Number of requests to the gateway, each of at most 1,000 recipients.', 1),
  recipients: field(z.array(TrackedRecipient), 'The recipients, in the order of the request.'),
}).meta({ id: 'TrackedAirtime', description: 'A list of recipients of airtime with its state.' })
export type TrackedAirtime = z.output<typeof TrackedAirtime>

/** An item in the response of `GET /api/airtime`. Each item describes one request to the gateway. */
export const ListedAirtime = Tracked.extend({
  external_reference,
  version,
}).meta({ id: 'ListedAirtime', description: 'One request to the gateway, of at most 1,000 recipients.' })
export type ListedAirtime = z.output<typeof ListedAirtime>
