// What a session's money does after the customer's answer: it is received or given back, or it is stuck at the
// operator. The ledger, the payment and the merchant's callback change together.

import { compare, subtract } from '../../../server/contract/decimal.ts'
import { notPossible } from '../errors/failure.ts'
import { transfer } from '../money/ledger.ts'
import { receivedBy, reportOf, setPaymentState } from './session.ts'

import type { Failure } from '../errors/failure.ts'
import type { Line } from '../money/ledger.ts'
import type { World } from '../world.ts'
import type { Payment, PaymentState } from './payment.ts'
import type { CheckoutSession } from './session.ts'

/** The money of a payment arrives `afterMs` milliseconds from now. */
export function receive(world: World, session: CheckoutSession, payment: Payment, afterMs: number): void {
  const arrive = () => {
    const customers = `customers/${session.service.currency}` as const
    postMovement(world, session, 'paid', transfer(customers, accountOf(session), payment.amount))
    settle(world, session, payment, { kind: 'paid' })
  }

  if (afterMs === 0) {
    return arrive()
  }

  const now = world.clock.now()
  const isAgain = payment.state.kind === 'jammed'
  setPaymentState(session, payment, { kind: 'processing', until: now + afterMs, isAgain }, now)
  world.clock.after(afterMs, arrive)
}

/**
 * Returns all received money of a session. [assumed] After a split, the merchant returns the whole amount; the partners
 * keep their shares, and the gateway keeps its fee. Money that the float does not have becomes a debt of the merchant.
 */
export function giveBack(
  world: World,
  session: CheckoutSession,
  as: 'reversed' | 'refunded',
): Failure | null {
  if (compare(receivedBy(session), '0') === 0) {
    return notPossible('The checkout holds no received money.')
  }

  const { accountNumber, currency } = session.service
  const source = accountOf(session)
  for (const payment of session.payments) {
    if (payment.state.kind !== 'paid') {
      continue
    }

    const balance = world.ledger.balanceOf(source)
    const covered = compare(balance, payment.amount) < 0 ? balance : payment.amount
    const missing = subtract(payment.amount, covered)
    postMovement(world, session, 'money given back', [
      ...transfer(source, `customers/${currency}`, covered),
      ...transfer(`owed/${accountNumber}/${currency}`, `customers/${currency}`, missing),
    ])
    setPaymentState(session, payment, { kind: as }, world.clock.now())
  }

  notifyMerchant(world, session)
  return null
}

/** Ends a payment that is stuck at the operator, as the operator says it ended. */
export function resolveJam(world: World, session: CheckoutSession, as: 'paid' | 'failed'): Failure | null {
  const jammed = session.payments.find(({ state }) => state.kind === 'jammed')
  if (!jammed) {
    return notPossible('No payment is stuck at the operator.')
  }

  const result = 'The operator did not receive the payment.'
  if (as === 'paid') {
    receive(world, session, jammed, 0)
  } else {
    settle(world, session, jammed, { kind: 'failed', result })
  }
  return null
}

/** Sets the result of a payment, and notifies the merchant of it. [spec: Events] */
export function settle(world: World, session: CheckoutSession, payment: Payment, state: PaymentState): void {
  setPaymentState(session, payment, state, world.clock.now())
  notifyMerchant(world, session)
}

export function notifyMerchant({ deliveries, clock, portal }: World, session: CheckoutSession): void {
  // [assumed] Without an address in the portal, a charge has no callbacks.
  const url = session.callbackUrl ?? portal.addresses().charge_callback_url
  deliveries.notify({ reference: session.id, url, payload: reportOf(session, clock.now()) })
}

/** The account with the received money of a session. */
function accountOf({ custody, service: { accountNumber, currency } }: CheckoutSession) {
  return `${custody === 'held' ? 'held' : 'float'}/${accountNumber}/${currency}` as const
}

/** Posts a movement of a session's money to the ledger. `what` completes its name: "charge paid". */
export function postMovement(
  { ledger, clock }: World,
  { id, instruction }: CheckoutSession,
  what: string,
  lines: readonly Line[],
): void {
  ledger.post({ what: `${instruction.kind} ${what}`, reference: id, lines }, clock.now())
}
