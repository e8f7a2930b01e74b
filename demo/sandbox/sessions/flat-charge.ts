// [assumed] The flat dialect of charges, as seen in practice: other paths, an answer without currency and expiry, and one
// payment record as the state, which is queried under the gateway's id.

import { ChargeRequest } from '../../../server/contract/charge.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { CARD } from '../merchant.ts'
import { withoutZeros } from '../money/amounts.ts'
import { fieldWrong, present } from '../wire/fields.ts'
import { chargeProblem, chargeTermsOf, PAGE_MS, readCharge } from './charge.ts'
import { sendAnsweredPrompt } from './customer.ts'
import { openSession } from './open.ts'
import { reportOf } from './report.ts'
import type { Failure, Result } from '../wire/failure.ts'
import type { Fields } from '../wire/fields.ts'
import type { World } from '../world.ts'
import type { CheckoutSession } from './session.ts'

export const FLAT_PATHS = {
  mobile: '/v1/mobile-money/charge',
  cards: '/v1/cards/charge',
  status: '/v1/transaction/:charge_request_id/status',
} as const

/** Prompts the payer at once. */
export function postMobileCharge(world: World, body: Fields, origin: string): Result<object> {
  const posted = post(world, body, origin, ['payment_method_code'])
  if ('failure' in posted) return posted
  const { session, isNew } = posted.value
  const { methodCode, msisdn } = session
  if (isNew) sendAnsweredPrompt(world, session, { methodCode, msisdn })
  return { value: answerFor(session) }
}

/** Opens a page on which the payer authorizes the payment. */
export function postCardCharge(world: World, body: Fields, origin: string): Result<object> {
  const posted = post(world, body, origin, REQUIRED_OF_CARDS)
  return 'failure' in posted ? posted : { value: answerFor(posted.value.session) }
}

export function findFlatStatus(world: World, charge_request_id: string): Result<object> {
  const session = world.charges.get(charge_request_id)
  if (session) return { value: reportOf(session, world.clock.now()) }
  const transaction = `charge_request_id ${JSON.stringify(charge_request_id)}`
  return { failure: { reason: 'transaction_unknown', transaction } }
}

const REQUIRED_OF_CARDS = Object.keys(ChargeRequest.shape).filter(
  (field) => !['add_transaction_charge', 'transaction_charge'].includes(field),
)

function post(
  world: World,
  body: Fields,
  origin: string,
  required: readonly string[],
): Result<{ session: CheckoutSession; isNew: boolean }> {
  const { merchant } = world
  const read = readCharge(world, body)
  if ('failure' in read) return read
  const { request, service } = read.value
  const isCard = required === REQUIRED_OF_CARDS
  const failure =
    missingProblem(body, required) ??
    pathProblem(request, isCard) ??
    chargeProblem(merchant, request, service)
  if (failure !== null) return { failure }
  const now = world.clock.now()
  const terms = chargeTermsOf(request, service, now)
  const expiresAt = isCard ? now + PAGE_MS : terms.expiresAt
  return openSession(world, { ...terms, dialect: 'flat', expiresAt }, origin)
}

function missingProblem(body: Fields, required: readonly string[]): Failure | null {
  const given = present(body)
  const missing = required.filter((field) => given[field] === undefined)
  if (missing.length === 0) return null
  const problems = missing.map((field) => `${field} is required`)
  return fieldWrong(CHECKOUT_CODE.validationFailed, `${problems.join('; ')}.`)
}

function pathProblem({ payment_method_code: code }: ChargeRequest, isCard: boolean): Failure | null {
  if ((code === CARD) === isCard) return null
  const problem = `payment_method_code must ${isCard ? 'be' : 'not be'} ${CARD} at this path.`
  return fieldWrong(CHECKOUT_CODE.validationFailed, problem)
}

function answerFor({ id, amount, fee, chargeRequestId, instruction, methodCode, pageUrl }: CheckoutSession) {
  const isCard = methodCode === CARD
  return {
    status_code: CHECKOUT_CODE.chargePosted,
    status_description: 'Charge posted successfully',
    charge_request_id: chargeRequestId,
    external_reference: id,
    total_amount: withoutZeros(amount),
    service_amount: withoutZeros(String(instruction.request.amount)),
    transaction_charge: Number(fee),
    auth_available: isCard,
    ...(isCard && { auth_url: pageUrl }),
  }
}
