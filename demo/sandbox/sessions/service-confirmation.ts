// The confirmation of a charge's service, which distributes the held money or gives it back.

import { compare, subtract } from '../../../server/contract/decimal.ts'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { readFields } from '../wire/body.ts'
import { Failure, notPossible } from '../wire/failure.ts'
import { splitProblem } from './charge.ts'
import { giveBack, postDistributed } from './movements.ts'
import { openPaymentOf, receivedBy } from './session.ts'
import type { Confirmation, ConfirmationAnswer } from '../../../server/contract/charge.ts'
import type { Fields } from '../wire/body.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { Payment } from './payment.ts'
import type { CheckoutSession } from './session.ts'

const MESSAGES = {
  SUCCESSFUL: 'The service was confirmed: the money has been distributed.',
  FAILED: 'The service failed: the money has gone back to the payer.',
} as const satisfies Record<Confirmation['status'], string>

/**
 * Confirms the service of a charge. A repeated confirmation moves no money. [spec: Service processing confirmation]
 *
 * [assumed] The confirmation of one payment applies to all money of the charge. The charge accepts no payments afterwards,
 * so a confirmation is refused while another payment is open.
 */
export function confirm(world: World, body: Fields): Result<ConfirmationAnswer> {
  const request = readFields(body, endpoints.confirmService.request)
  if (request instanceof Failure) return request
  const { payment_id, status } = request
  const found = world.paymentsById.get(payment_id)
  // [assumed] Payments of checkouts need no confirmation and are unknown here.
  if (!found || found.session.instruction.kind !== 'charge')
    return new Failure(
      'transaction_unknown',
      `No transaction has the payment_id ${JSON.stringify(payment_id)}.`,
    )

  const { session, payment } = found
  const isDone = session.custody === status
  const failure = isDone ? null : (confirmationProblem(session, payment) ?? carryOut(world, session, status))
  return failure ?? { payment_id, message: MESSAGES[status] }
}

function confirmationProblem(session: CheckoutSession, { state }: Payment): Failure | null {
  const { custody } = session
  if (custody === 'SUCCESSFUL' || custody === 'FAILED')
    return new Failure('transaction_taken', `The service was already confirmed as ${custody}.`)
  if (state.kind === 'reversed' || state.kind === 'refunded')
    return notPossible(`The payment was ${state.kind} before the service was confirmed.`)
  if (state.kind !== 'paid')
    return notPossible(`The payment is ${state.kind}; only a received one can be confirmed.`)
  return openPaymentOf(session) ? notPossible('Another payment of the charge is still open.') : null
}

function carryOut(world: World, session: CheckoutSession, status: Confirmation['status']): Failure | null {
  const failure = status === 'FAILED' ? giveBack(world, session, 'refunded') : distribute(world, session)
  if (failure !== null) return failure
  session.custody = status
  session.history.push({ at: world.clock.now(), kind: 'confirmed', as: status })
  return null
}

// [assumed] The transaction charge is deducted first, even if the charge is paid only in part. [spec: Split
// settlement flow]
function distribute(world: World, session: CheckoutSession): Failure | null {
  const received = receivedBy(session)
  const fee = compare(received, session.fee) < 0 ? received : session.fee
  const available = { amount: subtract(received, fee), what: 'received' }
  const problem = splitProblem(session, available)
  if (problem !== null) return problem
  postDistributed(world, session, fee)
  return null
}
