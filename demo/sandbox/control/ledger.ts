import { Hono } from 'hono'
import { add, compare, sum } from '../../../server/contract/decimal.ts'
import { findPartner } from '../merchant.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { refuse } from '../wire/failure.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Account, Ledger } from '../money/ledger.ts'
import type { Simulation } from '../world.ts'

export function ledgerRoutes(simulation: Simulation): Hono {
  const routes = new Hono()

  routes.get('/ledger', (c) => {
    const { ledger } = simulation.world()
    const wanted = c.req.query('reference')
    const entries = ledger.entries()
    return Response.json({
      accounts: [...ledger.balances()].map(([account, balance]) => ({ account, balance })),
      totals: totalsOf(ledger),
      entries: wanted === undefined ? entries : entries.filter(({ reference }) => reference === wanted),
    })
  })

  routes.get('/accounts/:account_number/statement', (c) => {
    const account_number = c.req.param('account_number')
    const { ledger } = simulation.world()
    const accounts = accountsOf(ledger, account_number)
    if (accounts.length === 0) return refuse({ reason: 'not_found', what: `account ${account_number}` })
    const statements = accounts.map((account) => ({
      currency: currencyOfAccount(account),
      balance: ledger.balanceOf(account),
      rows: statementOf(ledger, account),
    }))
    return Response.json({ account_number, statements })
  })

  return routes
}

// Each sum is zero unless the sandbox has a bug.
function totalsOf(ledger: Ledger): Record<string, string> {
  const accounts = [...ledger.balances()]
  const currencies = new Set(accounts.map(([account]) => currencyOfAccount(account)))
  const totals = [...currencies].map((currency) => {
    const balances = accounts.filter(([account]) => currencyOfAccount(account) === currency)
    return [currency, sum(balances.map(([, balance]) => balance))] as const
  })
  return Object.fromEntries(totals)
}

function accountsOf(ledger: Ledger, account_number: string): readonly Account[] {
  const partner = findPartner(account_number)
  if (partner) return [`partner/${account_number}/${partner.currency}`]
  return [...ledger.balances().keys()].filter((account) => account.startsWith(`float/${account_number}/`))
}

function statementOf(ledger: Ledger, account: Account) {
  let balance: Decimal = '0.00'
  return ledger.entries().flatMap(({ at, what, reference, lines }) => {
    const amount = lines
      .filter((line) => line.account === account)
      .reduce((total, line) => add(total, line.amount), '0.00')
    if (compare(amount, '0') === 0) return []
    balance = add(balance, amount)
    return [{ at, what, reference, amount, balance }]
  })
}
