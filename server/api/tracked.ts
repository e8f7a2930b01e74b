/** Defines the fields and the outcomes that payouts, charges and airtime have in common in the API. */

import { z } from 'zod'

import { field, text, textOrNull } from '../contract/openapi-field.ts'
import { DISCREPANCIES } from './view.ts'

/** The possible outcomes of a payout, a charge, or a recipient of airtime. */
export const TRACKED_OUTCOMES = [
  /** The transaction is stored, but the gateway has not acknowledged it yet. */
  'sending',
  'pending',
  'succeeded',
  'failed',
  'reversed',
  'refunded',
  'needs_attention',
] as const
export type TrackedOutcome = (typeof TRACKED_OUTCOMES)[number]

export interface TrackedState {
  outcome: TrackedOutcome
  settled: boolean
}

export const standing = {
  outcome: field(
    z.enum(TRACKED_OUTCOMES),
    'The state. sending: stored, not acknowledged by the gateway. pending: acknowledged. needs_attention: a person has to check it. Branch on this field.',
  ),
  settled: field(z.boolean(), 'Whether the outcome is final. Reversals and refunds may still follow.'),
}

export const attention = textOrNull(
  'Why a person has to check it, as a sentence. Null while nobody has to.',
  'The gateway reports another amount than requested.',
)

export const currencyField = text('Currency code, ISO 4217.', 'KES')

export const discrepancy = field(
  z.enum(DISCREPANCIES).nullable(),
  'How the money that the gateway reports differs from the requested terms. Null without a difference.',
  null,
)

export const amountPaid = text('Amount received, as decimal text in major units of currency.', '1500.00')

/** Returns the schema of a timestamp that this server writes: ISO 8601, UTC, with milliseconds. */
export const moment = (description: string) =>
  field(z.iso.datetime(), `${description} ISO 8601, UTC, in milliseconds.`, '2026-11-21T09:00:00.000Z')

export const environmentField = field(z.enum(['sandbox', 'production']), "The gateway's environment.")

export const commonFields = {
  environment: environmentField,
  created_at: moment('When this server stored it.'),
  updated_at: moment('When it last changed.'),
}

export const version = field(z.int(), 'Version of the record. Grows by one with every change.', 3)
