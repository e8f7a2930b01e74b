// The routes of `/_sandbox` about one merchant: the ledger, the settings of the portal, and the callbacks.

import { Hono } from 'hono'

import { add } from '../../../server/contract/decimal.ts'
import { PortalSettings } from '../callbacks/portal-addresses.ts'
import { findAccount, findPartner } from '../merchants/merchant.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { answer, notFound } from './answer.ts'
import { playRoutes } from './play-routes.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Account, Ledger } from '../money/ledger.ts'
import type { World } from '../world.ts'
import type { Context } from 'hono'

/** @param worldOf Returns the world of the merchant whom a request concerns. */
export function merchantRoutes(worldOf: (c: Context) => World): Hono {
  const routes = new Hono()
  routes.route('/', playRoutes(worldOf))

  routes.get('/ledger', (c) => {
    const { ledger } = worldOf(c)
    return Response.json({
      accounts: [...ledger.balances()].map(([account, balance]) => ({ account, balance })),
      totals: totalsOf(ledger),
      entries: withReferenceOf(c, ledger.entries()),
    })
  })

  routes.get('/accounts/:account_number/statement', (c) => {
    const account_number = c.req.param('account_number')
    const { merchant, ledger } = worldOf(c)
    const account = accountOf(merchant, account_number)
    if (account === null) {
      return notFound(`account ${account_number}`)
    }

    const statement = {
      currency: currencyOfAccount(account),
      balance: ledger.balanceOf(account),
      rows: ledger.statementOf(account),
    }
    return Response.json({ account_number, statements: [statement] })
  })

  routes.get('/portal', (c) => Response.json(worldOf(c).portal.addresses()))

  routes.post('/portal', (c) => {
    const { portal } = worldOf(c)
    return answer(c, PortalSettings, (settings) => portal.set(settings)?.failure ?? portal.addresses())
  })

  routes.get('/callbacks', (c) => {
    const { deliveries } = worldOf(c)
    return Response.json({ callbacks: withReferenceOf(c, deliveries.list()) })
  })

  routes.post('/callbacks/:id/replay', (c) => {
    const id = c.req.param('id')
    const delivery = worldOf(c).deliveries.replay(id)
    return delivery ? Response.json(delivery) : notFound(`callback ${id}`)
  })

  // Only the fault `callback_hold` holds callbacks.
  routes.post('/callbacks/:id/release', (c) => {
    const id = c.req.param('id')
    const delivery = worldOf(c).deliveries.release(id)
    return delivery ? Response.json(delivery) : notFound(`held callback ${id}`)
  })

  return routes
}

/** Returns the items with the `reference` in the query of the request; all items if the query has none. */
function withReferenceOf<T extends { reference: string }>(c: Context, items: readonly T[]): readonly T[] {
  const wanted = c.req.query('reference')
  if (wanted === undefined) {
    return items
  }
  return items.filter((item) => item.reference === wanted)
}

/** Returns the sum of all accounts by currency. Each is zero unless the sandbox has a bug. */
function totalsOf(ledger: Ledger): Record<string, Decimal> {
  const totals: Record<string, Decimal> = {}
  for (const [account, balance] of ledger.balances()) {
    const currency = currencyOfAccount(account)
    totals[currency] = add(totals[currency] ?? '0', balance)
  }

  return totals
}

/** Returns the name in the ledger of a partner's account or a float account of the merchant; `null` if there is none. */
function accountOf(merchant: Merchant, account_number: string): Account | null {
  const partner = findPartner(merchant, account_number)
  if (partner) {
    return `partner/${account_number}/${partner.currency}`
  }

  const account = findAccount(merchant, account_number)
  return account ? `float/${account_number}/${account.currency}` : null
}
