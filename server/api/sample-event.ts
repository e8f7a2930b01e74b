/** Makes up events, with which a merchant tries a webhook. Pure. */

import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS } from '../contract/status.ts'
import { exampleOf } from '../openapi/document.ts'
import { splitType, SUBJECTS } from './kind-table.ts'

import type { EventSubject, EventType } from './kind-table.ts'
import type { CheckoutView, Discrepancy, PaymentOutcome } from './view.ts'

/** Returns the body of an event. */
export function eventAbout(type: string, data: object, now: number): string {
  return JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
}

/** The fields that identify a transaction. In a sample, they must not name one that exists. */
const REFERENCES = /^(order|checkout_id|merchant_transaction_id|(payout_|external_)?reference)$/

/** The outcomes of checkouts whose events have another name. A sample of a resolution is one without money. */
const CHECKOUT_OUTCOMES: Readonly<Record<string, string>> = {
  resolved: 'unpaid',
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
/** The same of payouts, charges and recipients of airtime. */
const TRACKED_OUTCOMES: Readonly<Record<string, string>> = { resolved: 'failed', overpaid: 'succeeded' }
const { paid, unpaid, jammed } = CHECKOUT_STATUS
type Statuses = Readonly<Record<string, number>>
/** By the field that has it, the gateway's status of each outcome. */
const STATUSES: Readonly<Record<'status' | 'payment_status' | 'service_status', Statuses>> = {
  status: { ...CHECKOUT_STATUS, review: paid, succeeded: paid, failed: unpaid, needs_attention: jammed },
  payment_status: {
    ...PAYOUT_STATUS,
    succeeded: PAYOUT_STATUS.processed,
    needs_attention: PAYOUT_STATUS.jammed,
  },
  service_status: {
    ...AIRTIME_STATUS,
    succeeded: AIRTIME_STATUS.successful,
    needs_attention: AIRTIME_STATUS.jammed,
  },
}
/** What became of the payment of a checkout, by the checkout's outcome. One that has expired has no payment. */
const PAYMENTS: Readonly<Record<string, Exclude<PaymentOutcome, 'waiting'>>> = {
  paid: 'successful',
  partial: 'successful',
  review: 'successful',
  unpaid: 'failed',
  reversed: 'reversed',
  refunded: 'refunded',
  jammed: 'jammed',
}
/** The amounts that differ from what was requested. */
const AMOUNTS: Readonly<Record<string, string>> = { overpaid: '1000000', partial: '1', review: '1' }
/** The discrepancies of the events that are about one. */
const DISCREPANCIES: Readonly<Record<string, Discrepancy>> = { overpaid: 'excess', review: 'short' }
type Terms = Pick<CheckoutView, 'amount' | 'currency'> & { amount_paid?: string }
/** What a transaction without a refusal has, whose payer is not awaited any more. */
const SETTLED = {
  error_code: null,
  response_description: null,
  refusal: null,
  redirect_url: null,
  auth_url: null,
  html: null,
}

/**
 * Makes up the `data` of an event: the example of its schema, with values that agree with the event's type and with
 * each other.
 *
 * @param terms What a checkout costs, and what of it is paid, if the event's type does not say it.
 */
export function sampleOf(
  type: EventType,
  reference: string,
  terms: Terms = { amount: '1500', currency: 'KES' },
): object {
  const { subject, suffix } = splitType(type)
  const outcome = (subject === 'checkout' ? CHECKOUT_OUTCOMES : TRACKED_OUTCOMES)[suffix] ?? suffix
  const isOfAttention = suffix === 'needs_attention'
  const values: Readonly<Record<string, unknown>> = {
    ...SETTLED,
    outcome,
    settled: !isOfAttention,
    environment: 'sandbox',
    type: subject === 'b2b' ? 'b2b' : 'local',
    discrepancy: DISCREPANCIES[suffix] ?? null,
    status: STATUSES.status[outcome] ?? null,
    payment_status: STATUSES.payment_status[outcome],
    service_status: STATUSES.service_status[outcome],
    ...(!isOfAttention && { attention: null }),
    ...(outcome === 'failed' && { reason: 'unknown' }),
    ...(outcome !== 'succeeded' && { amount_paid: '0', result: null, message: null }),
    ...(suffix === 'overpaid' && { amount_paid: AMOUNTS.overpaid }),
    ...(subject === 'checkout' && { fulfilment: null, ...terms, ...paymentsOf(suffix, outcome, terms) }),
  }
  const data = exampleOfSubject(subject).map(([name, shown]) => {
    if (REFERENCES.test(name)) {
      return [name, reference]
    }
    return [name, name in values ? values[name] : shown]
  })
  return Object.fromEntries(data)
}

/** The fields of an example by subject. A schema is converted once. */
const examples = new Map<EventSubject, [string, unknown][]>()

function exampleOfSubject(subject: EventSubject): [string, unknown][] {
  const known = examples.get(subject)
  const fields = known ?? Object.entries(Object(exampleOf(SUBJECTS[subject].data)))
  examples.set(subject, fields)
  return fields
}

function paymentsOf(
  suffix: string,
  checkoutOutcome: string,
  { amount: requested, currency, amount_paid = AMOUNTS[suffix] ?? requested }: Terms,
): Pick<CheckoutView, 'amount_paid' | 'payments'> {
  const outcome = PAYMENTS[checkoutOutcome]
  if (!outcome) {
    return { amount_paid: '0', payments: [] }
  }

  const payment = {
    status: PAYMENT_STATUS[outcome],
    outcome,
    amount: amount_paid,
    currency,
    method: 'MOMO_KEN',
    paid_at: '2026-11-21T09:05:00.000Z',
  }
  return {
    amount_paid: outcome === 'successful' ? amount_paid : '0',
    payments: [outcome === 'failed' ? { ...payment, reason: 'unknown' } : payment],
  }
}
