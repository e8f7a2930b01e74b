// What a session's money does after the customer's answer: it is received, given back or distributed, or it is stuck at the
// operator. The ledger, the payment and the merchant's callback change together.

import { compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { transfer } from '../money/ledger.ts'
import { notPossible } from '../wire/failure.ts'
import { receivedBy, reportOf, setPaymentState } from './session.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Failure } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { Payment, PaymentState } from './payment.ts'
import type { CheckoutSession } from './session.ts'

/** The money of a payment arrives `afterMs` milliseconds from now. */
export function receive(world: World, session: CheckoutSession, payment: Payment, afterMs: number): void {
  const arrive = () => {
    postReceived(world, session, payment)
    settle(world, session, payment, { kind: 'paid' })
  }
  if (afterMs === 0) return arrive()
  const now = world.clock.now()
  const isAgain = payment.state.kind === 'jammed'
  setPaymentState(session, payment, { kind: 'processing', until: now + afterMs, isAgain }, now)
  world.clock.after(afterMs, arrive)
}

// [assumed] All payments of a session are given back together.
export function giveBack(
  world: World,
  session: CheckoutSession,
  as: 'reversed' | 'refunded',
): Failure | null {
  if (compare(receivedBy(session), '0') === 0) return notPossible('The checkout holds no received money.')
  for (const payment of session.payments) {
    if (payment.state.kind !== 'paid') continue
    setPaymentState(session, payment, { kind: as }, world.clock.now())
    postGivenBack(world, session, payment)
  }
  notifyMerchant(world, session)
  return null
}

/** Ends a payment that is stuck at the operator, as the operator says it ended. */
export function resolveJam(world: World, session: CheckoutSession, as: 'paid' | 'failed'): Failure | null {
  const jammed = session.payments.find(({ state }) => state.kind === 'jammed')
  if (!jammed) return notPossible('No payment is stuck at the operator.')
  const result = 'The operator did not receive the payment.'
  if (as === 'paid') receive(world, session, jammed, 0)
  else settle(world, session, jammed, { kind: 'failed', result })
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

function postReceived({ ledger, clock }: World, session: CheckoutSession, payment: Payment): void {
  const { accountNumber, currency } = session.service
  const [what, account] =
    session.custody === 'held' ? (['charge', 'held'] as const) : (['checkout', 'float'] as const)
  const lines = transfer(`customers/${currency}`, `${account}/${accountNumber}/${currency}`, payment.amount)
  ledger.post({ what: `${what} paid`, reference: session.id, lines }, clock.now())
}

// [assumed] After a split, the merchant returns the whole amount; the partners keep their shares, and the gateway
// keeps its fee. Money that is held goes back whole. Money that the float does not have becomes a debt of the merchant.
function postGivenBack({ ledger, clock }: World, session: CheckoutSession, { amount }: Payment): void {
  const { accountNumber, currency } = session.service
  const isHeld = session.custody === 'held'
  const source = `${isHeld ? 'held' : 'float'}/${accountNumber}/${currency}` as const
  const balance = ledger.balanceOf(source)
  const covered = !isHeld && compare(balance, amount) < 0 ? balance : amount
  const lines = [
    ...transfer(source, `customers/${currency}`, covered),
    ...transfer(`owed/${accountNumber}/${currency}`, `customers/${currency}`, subtract(amount, covered)),
  ]
  const what = `${isHeld ? 'charge' : 'checkout'} money given back`
  ledger.post({ what, reference: session.id, lines }, clock.now())
}

// [spec: Split settlement flow, 3]
export function postDistributed({ ledger, clock }: World, session: CheckoutSession, fee: Decimal): void {
  const { accountNumber, currency } = session.service
  const held = `held/${accountNumber}/${currency}` as const
  const shares = session.splits.map((share) => ({ account: share.account, amount: String(share.amount) }))
  const rest = subtract(receivedBy(session), sum([fee, ...shares.map((share) => share.amount)]))
  const lines = [
    ...transfer(held, `fees/${currency}`, fee),
    ...shares.flatMap((share) => transfer(held, `partner/${share.account}/${currency}`, share.amount)),
    ...transfer(held, `float/${accountNumber}/${currency}`, rest),
  ]
  ledger.post({ what: 'charge distributed', reference: session.id, lines }, clock.now())
}
