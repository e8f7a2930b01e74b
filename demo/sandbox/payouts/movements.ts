import { add, subtract } from '../../../server/contract/decimal.ts'
import { transfer } from '../money/ledger.ts'
import type { Account, Line, Movement } from '../money/ledger.ts'
import type { Funds, PayoutState } from './payout.ts'

export function reserve(funds: Funds): Movement {
  const lines = transfer(floatOf(funds), reservedOf(funds), add(funds.amount, funds.fee))
  return { what: 'payout reserved', reference: funds.reference, lines }
}

/** Returns the ledger movement for a payout's new state; `null` if the payout's money stays reserved. */
export function movementInto(state: PayoutState, funds: Funds): Movement | null {
  const { reference } = funds
  switch (state.kind) {
    case 'pending':
    case 'jammed':
      return null
    case 'paid':
      return { what: 'payout paid', reference, lines: paid(funds) }
    case 'failed':
      return { what: 'payout failed', reference, lines: opposite(reserve(funds).lines) }
    case 'reversed':
      return { what: 'payout reversed', reference, lines: [...givenBack(funds), ...feeGivenBack(funds)] }
    case 'refunded':
      return { what: 'payout refunded', reference, lines: givenBack(funds) }
  }
}

function paid(funds: Funds): Line[] {
  return [
    ...transfer(reservedOf(funds), `fees/${funds.currency}`, funds.fee),
    ...transfer(reservedOf(funds), clearingAccountOf(funds), funds.amount),
    ...exchanged(funds),
  ]
}

function givenBack(funds: Funds): Line[] {
  return [...opposite(exchanged(funds)), ...transfer(clearingAccountOf(funds), floatOf(funds), funds.amount)]
}

// [assumed] Only a reversal returns the fee; a refund does not.
function feeGivenBack(funds: Funds): Line[] {
  return transfer(`fees/${funds.currency}`, floatOf(funds), funds.fee)
}

function opposite(lines: readonly Line[]): Line[] {
  return lines.map(({ account, amount }) => ({ account, amount: subtract('0', amount) }))
}

function floatOf({ accountNumber, currency }: Funds): Account {
  return `float/${accountNumber}/${currency}`
}

function reservedOf({ accountNumber, currency }: Funds): Account {
  return `reserved/${accountNumber}/${currency}`
}

function clearingAccountOf({ by, currency, delivered }: Funds): Account {
  return delivered.currency === currency ? `${by}/${currency}` : `exchange/${currency}`
}

function exchanged({ by, currency, delivered }: Funds): Line[] {
  if (delivered.currency === currency) return []
  return transfer(`exchange/${delivered.currency}`, `${by}/${delivered.currency}`, delivered.amount)
}
