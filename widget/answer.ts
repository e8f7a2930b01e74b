/**
 * The BFF's JSON, read at the edge by hand: a schema library would cost more than the element.
 *
 * Strict where money or a navigation is decided; the rest passes as it came, so that an element from a CDN
 * understands older and newer servers and hides nothing from the page.
 */

import { isDecimal } from '../server/contract/decimal.ts'
import { CHECKOUT_STATUS } from '../server/contract/status.ts'
import { failure } from './failure.ts'
import { isPayerField } from './payer.ts'

import type { Outcome, View } from '../server/contract/view.ts'
import type { Failure } from './failure.ts'

const OUTCOMES = {
  waiting: true,
  paid: true,
  partial: true,
  unpaid: true,
  expired: true,
  reversed: true,
  refunded: true,
  jammed: true,
  pending: true,
  review: true,
} satisfies Record<Outcome, true>

/**
 * The view, or `null` when the body is not one.
 *
 * [assumed] An outcome that this version does not know, or one called paid without the gateway's 801, is
 * shown as still being checked and asked about again: money is never announced on a guess.
 */
export function readView(body: unknown): View | null {
  if (!isView(body)) return null
  const isKnown =
    Object.hasOwn(OUTCOMES, body.outcome) && (body.outcome !== 'paid' || body.status === CHECKOUT_STATUS.paid)
  return isKnown ? body : { ...body, outcome: 'waiting', settled: false }
}

/** A problem document, or `null` when the body is something else. RFC 9457. */
export function readProblem(body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'string') return null
  const errors: unknown[] = Array.isArray(body.errors) ? body.errors : []
  return {
    ...failure(body.code, body.retryable === true, String(body.detail)),
    fields: errors.map((error) => (isRecord(error) ? error.path : null)).filter((path) => isPayerField(path)),
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isView(body: unknown): body is View {
  return (
    isRecord(body) &&
    matches(body.checkout_id, /./) &&
    matches(body.order, /^/) &&
    matches(body.outcome, /./) &&
    isAmount(body.amount) &&
    isAmount(body.amount_paid) &&
    matches(body.currency, /^[A-Z]{3}$/) &&
    matches(body.expires_at, MOMENT) &&
    matches(body.server_time, MOMENT) &&
    Array.isArray(body.payments) &&
    body.payments.every((payment) => isRecord(payment)) &&
    // A `javascript:` address would run in the merchant's page.
    (body.redirect_url === undefined || matches(body.redirect_url, /^https?:\/\//i))
  )
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function isAmount(value: unknown): boolean {
  return typeof value === 'string' && isDecimal(value)
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
