/**
 * The BFF's JSON, read at the edge by hand: a schema library would cost more than the element.
 *
 * Strict where money or a navigation is decided; the rest passes as it came, so that an element from a CDN
 * understands older and newer servers and hides nothing from the page.
 */

import { CHECKOUT_STATUS } from '../server/api/status.ts'
import { AMOUNT } from './money.ts'
import { PAYER_FIELDS } from './payer.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Failure } from './failure.ts'

const OUTCOME = /^((un)?paid|partial|expired|reversed|refunded|jammed|pending|waiting|review)$/

const SHAPES = {
  checkout_id: /./,
  order: /^/,
  outcome: /./,
  amount: AMOUNT,
  amount_paid: AMOUNT,
  currency: /^[A-Z]{3}$/,
  // A `javascript:` address would run in the merchant's page; none at all is the usual one after the end.
  redirect_url: /^(https?:\/\/|$)/i,
}

/**
 * The view, or `null` when the body is not one.
 *
 * [assumed] An outcome that this version does not know, or one called paid without the gateway's 801, is
 * shown as still being checked and asked about again: money is never announced on a guess.
 */
export function readView(body: unknown): CheckoutView | null {
  if (!isView(body)) return null
  const { outcome, status } = body
  const isBorneOut = outcome !== 'paid' || status === CHECKOUT_STATUS.paid
  return isBorneOut && OUTCOME.test(outcome) ? body : { ...body, outcome: 'waiting', settled: false }
}

/** A problem document, or `null` when the body is something else. RFC 9457. */
export function readProblem(body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'string') return null
  const errors: unknown[] = Array.isArray(body.errors) ? body.errors : []
  const isWrong = (field: string) => errors.some((error) => isRecord(error) && error.path === field)
  const { code, retryable, detail } = body
  return {
    code,
    retryable: retryable === true,
    message: String(detail),
    fields: PAYER_FIELDS.filter(isWrong),
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isView(body: unknown): body is CheckoutView {
  return (
    isRecord(body) &&
    Array.isArray(body.payments) &&
    Object.entries(SHAPES).every(([field, shape]) => {
      const value = body[field] ?? ''
      return typeof value === 'string' && shape.test(value)
    })
  )
}
