/** Standard checkout: begins sessions and tells their status. [spec: Standard checkout request] */

import { endpoints } from '../../server/contract/endpoints.ts'
import { CHECKOUT_CODE } from '../../server/contract/status.ts'
import { problemOf } from './body.ts'
import { whyNoCallbackAddress } from './callback-address.ts'
import { payloadOf } from './checkout-session.ts'
import { MERCHANT, findService } from './merchant.ts'
import type { InitiateRequest, InitiateResponse } from '../../server/contract/checkout.ts'
import type { Fields } from './body.ts'
import type { CheckoutSession, Payload } from './checkout-session.ts'
import type { Failure, FieldCode, Result } from './failure.ts'
import type { World } from './world.ts'

/** [assumed] A year; a session that outlives it is a mistake in units. */
const MAX_EXPIRES_IN_MINUTES = 366 * 24 * 60
const MAX_CHECKOUTS = 100_000

/**
 * Begins a session, or answers for the one that the same request began before: a lost answer may be asked
 * for again. [spec: Standard checkout request, merchant_transaction_id]
 */
export function initiate(world: World, body: Fields, origin: string): Result<InitiateResponse> {
  const parsed = parse(body)
  if ('failure' in parsed) return parsed
  const request = parsed.value
  const service = findService(request.service_code)
  if (!service) return { failure: { reason: 'service_unknown', service_code: request.service_code } }

  const { merchant_transaction_id } = request
  const earlier = world.checkouts.get(merchant_transaction_id)
  if (earlier) {
    // Compared as read, so "+254 700" and "254700", or 500 and "500", are the same body.
    if (JSON.stringify(earlier.request) === JSON.stringify(request)) return { value: answerFor(earlier) }
    return { failure: { reason: 'transaction_taken', merchant_transaction_id } }
  }
  if (world.checkouts.size >= MAX_CHECKOUTS)
    return { failure: { reason: 'sandbox_full', limit: MAX_CHECKOUTS } }

  const now = world.agenda.now()
  const reference = world.randomness.hex(32)
  const session: CheckoutSession = {
    request,
    reference,
    service,
    pageUrl: `${origin}/pay/${reference}`,
    expiresAt: now + request.expires_in * 60_000,
    payments: [],
    changedAt: now,
  }
  world.checkouts.set(merchant_transaction_id, session)
  world.checkoutsByReference.set(reference, session)
  return { value: answerFor(session) }
}

/** [spec: Checkout callback and status payload] */
export function findStatus(world: World, merchant_transaction_id: string): Result<Payload> {
  const session = world.checkouts.get(merchant_transaction_id)
  if (!session) return { failure: { reason: 'transaction_unknown', merchant_transaction_id } }
  return { value: payloadOf(session, world.agenda.now()) }
}

/** [spec: Standard checkout response] */
function answerFor({ request, reference, service, expiresAt, pageUrl }: CheckoutSession): InitiateResponse {
  return {
    merchant_transaction_id: request.merchant_transaction_id,
    checkout_reference: reference,
    currency: service.currency,
    amount: request.amount,
    expires_at: new Date(expiresAt).toISOString(),
    redirect_url: pageUrl,
  }
}

function parse(body: Fields): Result<InitiateRequest> {
  const parsed = endpoints.initiateCheckout.request.safeParse(body)
  if (parsed.success) {
    const problem = whyNotAcceptable(parsed.data)
    return problem === null
      ? { value: parsed.data }
      : { failure: fieldWrong(CHECKOUT_CODE.validationFailed, problem) }
  }
  const first = parsed.error.issues[0]?.path[0]
  return { failure: fieldWrong(codeFor(first, body), problemOf(parsed.error)) }
}

/** The field that comes first in the spec's table decides the code. [spec: Checkout errors] */
function codeFor(field: PropertyKey | undefined, body: Fields): FieldCode {
  const missing = isMissing(body[String(field)])
  if (field === 'payer_msisdn') return missing ? CHECKOUT_CODE.msisdnMissing : CHECKOUT_CODE.invalidMsisdn
  if (field === 'account_number' && missing) return CHECKOUT_CODE.accountMissing
  return CHECKOUT_CODE.validationFailed
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** What only the gateway can judge. */
function whyNotAcceptable(request: InitiateRequest): string | null {
  if (request.account_number !== MERCHANT.accountNumber)
    return 'account_number is not an account of this merchant.'
  if (request.expires_in > MAX_EXPIRES_IN_MINUTES)
    return `expires_in must be at most ${MAX_EXPIRES_IN_MINUTES} minutes.`
  const problem = whyNoCallbackAddress(request.callback_url)
  if (problem !== null) return problem
  if (!['http:', 'https:'].includes(new URL(request.redirect_url).protocol))
    return 'redirect_url must be an HTTP or HTTPS address.'
  return null
}

function fieldWrong(code: FieldCode, problem: string): Failure {
  return { reason: 'field_wrong', code, problem }
}
