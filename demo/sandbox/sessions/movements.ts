import { compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { transfer } from '../money/ledger.ts'
import { receivedBy } from './session.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { World } from '../world.ts'
import type { Payment } from './payment.ts'
import type { CheckoutSession } from './session.ts'

export function postReceived({ ledger, clock }: World, session: CheckoutSession, payment: Payment): void {
  const { reference, accountNumber, currency, amount } = moneyOf(session, payment.amount)
  const [what, account] =
    session.custody === 'held' ? (['charge', 'held'] as const) : (['checkout', 'float'] as const)
  const lines = transfer(`customers/${currency}`, `${account}/${accountNumber}/${currency}`, amount)
  ledger.post({ what: `${what} paid`, reference, lines }, clock.now())
}

// [assumed] After a split, the merchant returns the whole amount; the partners keep their shares, and the gateway
// keeps its fee. Money that is held goes back whole. Money that the float does not have becomes a debt of the merchant.
export function postGivenBack({ ledger, clock }: World, session: CheckoutSession, payment: Payment): void {
  const { reference, accountNumber, currency, amount } = moneyOf(session, payment.amount)
  const isHeld = session.custody === 'held'
  const source = `${isHeld ? 'held' : 'float'}/${accountNumber}/${currency}` as const
  const balance = ledger.balanceOf(source)
  const covered = !isHeld && compare(balance, amount) < 0 ? balance : amount
  const lines = [
    ...transfer(source, `customers/${currency}`, covered),
    ...transfer(`owed/${accountNumber}/${currency}`, `customers/${currency}`, subtract(amount, covered)),
  ]
  ledger.post({ what: `${isHeld ? 'charge' : 'checkout'} money given back`, reference, lines }, clock.now())
}

// [spec: Split settlement flow, 3]
export function postDistributed({ ledger, clock }: World, session: CheckoutSession, fee: Decimal): void {
  const { reference, accountNumber, currency, amount } = moneyOf(session, receivedBy(session))
  const held = `held/${accountNumber}/${currency}` as const
  const shares = session.splits.map((share) => ({ account: share.account, amount: String(share.amount) }))
  const rest = subtract(amount, sum([fee, ...shares.map((share) => share.amount)]))
  const lines = [
    ...transfer(held, `fees/${currency}`, fee),
    ...shares.flatMap((share) => transfer(held, `partner/${share.account}/${currency}`, share.amount)),
    ...transfer(held, `float/${accountNumber}/${currency}`, rest),
  ]
  ledger.post({ what: 'charge distributed', reference, lines }, clock.now())
}

function moneyOf({ id, service: { accountNumber, currency } }: CheckoutSession, amount: Decimal) {
  return { reference: id, accountNumber, currency, amount }
}
