/**
 * The BFF's JSON, read at the edge by hand: a schema library would cost more than the element.
 *
 * Strict where money or a navigation is decided, lenient elsewhere, so that an element from a CDN understands
 * older and newer servers.
 */

import { isDecimal } from '../server/contract/decimal.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../server/contract/status.ts'
import { failure } from './failure.ts'
import { isPayerField } from './payer.ts'

import type { Discrepancy, Outcome, PaymentOutcome, PaymentView, View } from '../server/contract/view.ts'
import type { Failure } from './failure.ts'

const OUTCOMES = [
  'waiting',
  'paid',
  'partial',
  'unpaid',
  'expired',
  'reversed',
  'refunded',
  'jammed',
  'pending',
  'review',
] as const satisfies readonly Outcome[]
const DISCREPANCIES = [
  'excess',
  'short',
  'amount',
  'currency',
  'account',
  'reference',
] as const satisfies readonly Discrepancy[]
const PAYMENT_OUTCOMES = [
  'successful',
  'failed',
  'reversed',
  'refunded',
  'waiting',
  'jammed',
] as const satisfies readonly PaymentOutcome[]

/**
 * The view, or `null` when the body is not one.
 *
 * [assumed] An outcome that this version does not know, or one called paid without the gateway's 801, is
 * shown as still being checked and asked about again: money is never announced on a guess.
 */
export function readView(body: unknown): View | null {
  if (!isRecord(body)) return null
  const { order, checkout_id, amount, amount_paid, currency, expires_at, server_time } = body
  if (!isText(checkout_id) || checkout_id === '' || !isText(order)) return null
  if (!isAmount(amount) || !isAmount(amount_paid) || !isCurrency(currency)) return null
  if (!isMoment(expires_at) || !isMoment(server_time)) return null
  const redirect_url = isText(body.redirect_url) ? body.redirect_url : null
  if (redirect_url !== null && !isWebAddress(redirect_url)) return null

  const status = oneOf(Object.values(CHECKOUT_STATUS), body.status)
  const outcome = oneOf(OUTCOMES, body.outcome)
  const isKnown = outcome !== null && (outcome !== 'paid' || status === CHECKOUT_STATUS.paid)
  return {
    order,
    checkout_id,
    merchant_transaction_id: text(body.merchant_transaction_id),
    attempt: number(body.attempt),
    status,
    outcome: isKnown ? outcome : 'waiting',
    settled: isKnown && body.settled === true,
    discrepancy: oneOf(DISCREPANCIES, body.discrepancy),
    amount,
    amount_paid,
    currency,
    expires_at,
    updated_at: isMoment(body.updated_at) ? body.updated_at : server_time,
    server_time,
    version: number(body.version),
    payments: Array.isArray(body.payments) ? body.payments.flatMap((payment) => readPayment(payment)) : [],
    environment: body.environment === 'sandbox' ? 'sandbox' : 'production',
    ...(redirect_url === null ? {} : { redirect_url }),
  }
}

/** One payment, or nothing: a record that cannot be read is left out, since the totals decide. */
function readPayment(body: unknown): PaymentView[] {
  if (!isRecord(body)) return []
  const status = oneOf(Object.values(PAYMENT_STATUS), body.status)
  const outcome = oneOf(PAYMENT_OUTCOMES, body.outcome)
  if (status === null || outcome === null || !isAmount(body.amount) || !isCurrency(body.currency)) return []
  return [
    {
      status,
      outcome,
      amount: body.amount,
      currency: body.currency,
      method: isText(body.method) ? body.method : null,
      paid_at: isMoment(body.paid_at) ? body.paid_at : null,
    },
  ]
}

/** A problem document, or `null` when the body is something else. RFC 9457. */
export function readProblem(body: unknown): Failure | null {
  if (!isRecord(body) || !isText(body.code) || body.code === '') return null
  const errors = Array.isArray(body.errors) ? body.errors : []
  return {
    ...failure(body.code, body.retryable === true, text(body.detail) || text(body.title)),
    fields: errors
      .map((error: unknown) => (isRecord(error) ? text(error.path) : ''))
      .filter((path) => isPayerField(path)),
  }
}

/** Whether an address may be navigated to at all; a `javascript:` one would run in the merchant's page. */
function isWebAddress(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address).protocol)
  } catch {
    return false
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function oneOf<T>(known: readonly T[], value: unknown): T | null {
  return known.find((candidate) => candidate === value) ?? null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isAmount(value: unknown): value is string {
  return isText(value) && isDecimal(value)
}

function isCurrency(value: unknown): value is string {
  return isText(value) && /^[A-Z]{3}$/.test(value)
}

function isMoment(value: unknown): value is string {
  return isText(value) && !Number.isNaN(Date.parse(value))
}

function text(value: unknown): string {
  return isText(value) ? value : ''
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
