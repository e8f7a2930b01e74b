import { Hono } from 'hono'
import { sum } from '../../../server/contract/decimal.ts'
import { findAccount, findPartner } from '../merchant.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { refuse } from '../wire/failure.ts'
import type { Merchant } from '../merchant.ts'
import type { Account, Ledger } from '../money/ledger.ts'
import type { WorldOf } from './world-of.ts'

export function ledgerRoutes(worldOf: WorldOf): Hono {
  const routes = new Hono()

  routes.get('/ledger', (c) => {
    const { ledger } = worldOf(c)
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
    const { merchant, ledger } = worldOf(c)
    const account = accountOf(merchant, account_number)
    if (account === null) return refuse({ reason: 'not_found', what: `account ${account_number}` })
    const statement = {
      currency: currencyOfAccount(account),
      balance: ledger.balanceOf(account),
      rows: ledger.statementOf(account),
    }
    return Response.json({ account_number, statements: [statement] })
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

function accountOf(merchant: Merchant, account_number: string): Account | null {
  const partner = findPartner(merchant, account_number)
  if (partner) return `partner/${account_number}/${partner.currency}`
  const account = findAccount(merchant, account_number)
  return account ? `float/${account_number}/${account.currency}` : null
}
