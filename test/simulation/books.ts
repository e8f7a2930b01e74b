import { currencyOfAccount } from '../../demo/sandbox/money/ledger.ts'
import { receivedBy } from '../../demo/sandbox/sessions/session.ts'
import { add, compare, subtract } from '../../server/contract/decimal.ts'

import type { Account } from '../../demo/sandbox/money/ledger.ts'
import type { World } from '../../demo/sandbox/world.ts'

/**
 * Compares the gateway's ledger with the states of all transactions, in each currency. Returns a sentence for each
 * difference.
 */
export function findImbalances(world: World): string[] {
  const { ledger } = world
  const expected = expectedBalances(world)
  const found: string[] = []
  const totals = new Map<string, string>()
  for (const [account, balance] of ledger.balances()) {
    const currency = currencyOfAccount(account)
    totals.set(currency, add(totals.get(currency) ?? '0', balance))
    if (/^(float|reserved|held|partner)\//.test(account) && compare(balance, '0') < 0) {
      found.push(`${account} has ${balance}.`)
    }

    const last = ledger.statementOf(account).at(-1)?.balance ?? '0'
    if (compare(last, balance) !== 0) {
      found.push(`${account} has ${balance}, and its statement ends with ${last}.`)
    }
    if (isDerived(account) && !expected.has(account)) {
      expected.set(account, '0')
    }
  }

  for (const [currency, total] of totals) {
    if (compare(total, '0') !== 0) {
      found.push(`The accounts in ${currency} add up to ${total}.`)
    }
  }

  for (const [account, balance] of expected) {
    if (compare(ledger.balanceOf(account), balance) !== 0) {
      found.push(`${account} has ${ledger.balanceOf(account)}; the transactions say ${balance}.`)
    }
  }

  return found
}

/** Whether the states of the transactions alone determine the balance. */
function isDerived(account: Account): boolean {
  return /^(reserved|held|operators|banks|exchange|customers|fees)\//.test(account)
}

function expectedBalances({ sessions, payouts, airtime }: World): Map<Account, string> {
  const balances = new Map<Account, string>()
  const post = (account: Account, amount: string) =>
    balances.set(account, add(balances.get(account) ?? '0', amount))

  const change = (from: string, paid: string, to: string, delivered: string) => {
    if (from === to) {
      return
    }

    post(`exchange/${from}`, paid)
    post(`exchange/${to}`, subtract('0', delivered))
  }

  for (const session of sessions.values()) {
    const { currency, accountNumber } = session.service
    const received = receivedBy(session)
    post(`customers/${currency}`, subtract('0', received))
    if (session.custody === 'held') {
      post(`held/${accountNumber}/${currency}`, received)
    }
  }

  const settling = [
    ...payouts.values(),
    ...[...airtime.values()].flatMap((each) => [...each.recipients.values()]),
  ]
  for (const { funds, state } of settling) {
    const { accountNumber, currency, amount, fee, paidOutBy, delivered } = funds
    if (OPEN.includes(state.kind)) {
      post(`reserved/${accountNumber}/${currency}`, add(amount, fee))
    }
    if (state.kind === 'paid' || state.kind === 'refunded') {
      post(`fees/${currency}`, fee)
    }
    if (state.kind !== 'paid') {
      continue
    }

    post(`${paidOutBy}/${delivered.currency}`, delivered.amount)
    change(currency, amount, delivered.currency, delivered.amount)
  }

  return balances
}

const OPEN = ['unprocessed', 'processing', 'reprocessing', 'jammed']
