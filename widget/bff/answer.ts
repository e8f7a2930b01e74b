/**
 * Parses the BFF's JSON responses without a schema library, which would be larger than the element.
 *
 * Checks only the fields on which money or navigation depends, so that an element from a CDN also works with older and
 * newer BFFs.
 */

import { AMOUNT } from '../state/money.ts'
import { PAYER_FIELDS } from '../state/payer.ts'

import type { CheckoutMethods, CheckoutStatus, CheckoutView } from '../../server/api/view.ts'
import type { CheckoutErrorCode, Failure } from '../state/failure.ts'

const PAID: CheckoutStatus = 801
const OUTCOME = /^(paid|unpaid|partial|expired|reversed|refunded|jammed|pending|waiting|review)$/

/** What the texts of a view match. A missing text counts as empty. */
const SHAPES = {
  checkout_id: /./,
  order: /^/,
  outcome: /./,
  amount: AMOUNT,
  amount_paid: AMOUNT,
  currency: /^[A-Z]{3}$/,
  // A `javascript:` URL would run in the merchant's page. A settled checkout has no URL.
  redirect_url: /^(https?:\/\/|$)/i,
}

/**
 * Returns the body of a response as a view; `null` if the body is not a valid view.
 *
 * [assumed] An unknown outcome becomes `waiting`. The outcome `paid` becomes `waiting` if the gateway's status is not
 * 801 (paid). In both cases, the view is not settled, so that the element keeps polling.
 */
export function readView(body: unknown): CheckoutView | null {
  if (!isView(body)) {
    return null
  }

  const { outcome, status } = body
  const isConsistent = outcome !== 'paid' || status === PAID
  return isConsistent && OUTCOME.test(outcome) ? body : { ...body, outcome: 'waiting', settled: false }
}

/**
 * Returns the failure that the body of an error response describes; `null` if the body is not an RFC 9457 problem
 * document.
 */
export function readProblem(body: unknown): Failure | null {
  if (!isProblem(body)) {
    return null
  }

  const errors: unknown[] = Array.isArray(body.errors) ? body.errors : []
  const isRefused = (field: string) => errors.some((error) => isRecord(error) && error.path === field)
  const { code, retryable, detail } = body
  return {
    code,
    retryable: retryable === true,
    message: typeof detail === 'string' ? detail : '',
    fields: PAYER_FIELDS.filter(isRefused),
  }
}

/** Returns the body of a response as operators; `null` if it lists none. */
export function readMethods(body: unknown): CheckoutMethods | null {
  return isMethods(body) ? body : null
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Returns whether the body has a code. The page also receives codes that this element does not know. [assumed] A newer
 * BFF may send unknown codes.
 */
function isProblem(body: unknown): body is Record<string, unknown> & { code: CheckoutErrorCode } {
  return isRecord(body) && typeof body.code === 'string'
}

function isMethods(body: unknown): body is CheckoutMethods {
  const isOperator = (method: unknown) => isRecord(method) && Array.isArray(method.prefixes)
  return isRecord(body) && Array.isArray(body.methods) && body.methods.every(isOperator)
}

function isView(body: unknown): body is CheckoutView {
  return (
    isRecord(body) &&
    Array.isArray(body.payments) &&
    typeof body.version === 'number' &&
    Object.entries(SHAPES).every(([field, shape]) => {
      const value = body[field] ?? ''
      return typeof value === 'string' && shape.test(value)
    })
  )
}
