/** The movements of money of a payout, as its record has them. Pure. */

import { canonical } from '../contract/decimal.ts'
import { DAY } from '../transactions/schedule.ts'
import { askedOfFloat, STATUS_RULES } from './record.ts'

import type { Movement } from '../store/movements.ts'
import type { AcceptedPayout, Payout } from './record.ts'

/**
 * Returns what left the float account for the recipient, and what of it came back, without the gateway's fee. A payout
 * that failed has moved nothing, and is listed all the same.
 *
 * [assumed] As a payment, a payout is of the day that the gateway states, and what came back of the day on which the
 * gateway was first heard to say so.
 */
export function movementsOfPayout({ created_at, record }: Payout): Movement[] {
  const { call } = record
  const { request } = call
  const { amount, currency } = askedOfFloat(call)
  const moved: Omit<Movement, 'moved' | 'at'> = {
    part: '',
    amount: canonical(amount),
    currency,
    service: request?.service_code ?? null,
    operator: operatorOf(call),
    isFound: request !== null,
    receipt: null,
    phone: request === null ? null : (call.recipient.phone ?? null),
    ends: null,
    key: null,
  }
  if (record.phase === 'rejected') {
    return [{ ...moved, moved: 'failed', at: record.rejected_at }]
  }
  if (record.phase !== 'accepted' || record.reported === null) {
    return []
  }

  const { reported } = record
  const { outcome } = STATUS_RULES.statuses[reported.payment_status]
  const { paid, returned, currency: stated, since } = reported
  const out: Movement = {
    ...moved,
    moved: 'paid',
    at: timeOf(reported, created_at),
    amount: paid,
    currency: stated,
  }
  switch (outcome) {
    case 'succeeded':
      return [out]
    case 'reversed':
    case 'refunded':
      return [out, { ...out, moved: outcome, at: since, amount: returned }]
    case 'failed':
      return [{ ...moved, moved: 'failed', at: since }]
    case 'sending':
    case 'pending':
    case 'needs_attention':
      return []
  }
}

function operatorOf(call: Payout['record']['call']): string | null {
  if (call.request === null) {
    return null
  }
  return call.variant === 'b2b' ? call.request.payment_method : call.request.destination_name
}

function timeOf({ result, since }: NonNullable<AcceptedPayout['reported']>, created: number): number {
  const time = result && ('data' in result ? result.data.transaction_time : result.transaction_time)
  const stated = time ? Date.parse(time) : NaN
  return stated >= created - DAY && stated <= since ? stated : since
}
