/** The books, under `/_sandbox`: accounts, entries and statements. For tests and people, not in the spec. */

import { Hono } from 'hono'
import { sum } from '../../../server/contract/decimal.ts'
import { accountsOf, statementOf } from '../accounts.ts'
import { refuse } from '../wire/failure.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import type { Ledger } from '../money/ledger.ts'
import type { Stage } from '../world.ts'

export function bookRoutes(stage: Stage): Hono {
  const books = new Hono()

  books.get('/ledger', (c) => {
    const { ledger } = stage.world()
    const wanted = c.req.query('reference')
    const entries = ledger.entries()
    return Response.json({
      accounts: [...ledger.balances()].map(([account, balance]) => ({ account, balance })),
      totals: totalsOf(ledger),
      entries: wanted === undefined ? entries : entries.filter(({ reference }) => reference === wanted),
    })
  })

  books.get('/accounts/:account_number/statement', (c) => {
    const number = c.req.param('account_number')
    const world = stage.world()
    const accounts = accountsOf(world, number)
    if (accounts.length === 0) return refuse({ reason: 'not_found', what: `account ${number}` })
    const statements = accounts.map((account) => ({
      currency: currencyOfAccount(account),
      balance: world.ledger.balanceOf(account),
      rows: statementOf(world, account),
    }))
    return Response.json({ account_number: number, statements })
  })

  return books
}

/** By currency; each is zero, or the sandbox is broken. */
function totalsOf(ledger: Ledger): Record<string, string> {
  const accounts = [...ledger.balances()]
  const currencies = new Set(accounts.map(([account]) => currencyOfAccount(account)))
  const totals = [...currencies].map((currency) => {
    const balances = accounts.filter(([account]) => currencyOfAccount(account) === currency)
    return [currency, sum(balances.map(([, balance]) => balance))] as const
  })
  return Object.fromEntries(totals)
}
