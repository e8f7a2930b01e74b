// The routes of `/_sandbox`, by which tests and people control the sandbox; those that move time are in `history.ts`.

import { Hono } from 'hono'
import { z } from 'zod'

import { add } from '../../../server/contract/decimal.ts'
import { possibleMsisdn, text } from '../../../server/contract/fields.ts'
import { PortalSettings } from '../callbacks/portal-addresses.ts'
import { Failure, notPossible, transactionUnknown } from '../errors/error-codes.ts'
import { refuse } from '../errors/error-response.ts'
import { FaultRequest } from '../faults.ts'
import { readAs } from '../http/request-body.ts'
import { findAccount, findPartner } from '../merchants/merchant.ts'
import { entryOf } from '../money-out/airtime-recipient.ts'
import { play } from '../money-out/operator.ts'
import { planScenario } from '../money-out/payout-acceptance.ts'
import { payoutPayloadOf } from '../money-out/payout.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { isScenarioOf, listScenarios, SCENARIOS } from '../scenarios.ts'
import { playScenario } from '../sessions/customer.ts'
import { payloadOf } from '../sessions/session.ts'
import { CONTROL_ROUTES, FAULTS } from './reference.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Result } from '../errors/error-codes.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Account, Ledger } from '../money/ledger.ts'
import type { Kind } from '../scenarios.ts'
import type { Simulation, World } from '../world.ts'
import type { Context } from 'hono'

const scenarioFor = <K extends Kind>(kind: K) =>
  z.string().refine(isScenarioOf(kind), `must be a scenario of GET /_sandbox/scenarios with "${kind}"`)
const CheckoutPlay = z.object({
  scenario: scenarioFor('checkout').optional(),
  amount: z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
    .refine(isPayableAmount, 'must be a positive amount with at most two fraction digits')
    .optional(),
  msisdn: possibleMsisdn.optional(),
  method: text(32).optional(),
})
const PayoutPlay = z.object({ scenario: scenarioFor('payout') })
const AirtimePlay = z.object({ scenario: scenarioFor('airtime') })

/**
 * Serves what concerns the whole sandbox, and what concerns the first merchant. The routes below `/merchants/` concern
 * one merchant each.
 */
export function controlRoutes(simulation: Simulation): Hono {
  const { merchants, world, worlds } = simulation
  const find = (c: Context) => merchants.find(({ clientCode }) => clientCode === c.req.param('client_code'))
  const control = sandboxRoutes(simulation)
  const ofFirst = merchantRoutes(() => world())
  control.route('/', ofFirst)
  control.get('/merchants', () => Response.json({ merchants: worlds().map(descriptionOf) }))
  control.use('/merchants/:client_code/*', async (c, next) =>
    find(c) ? next() : notFound(`merchant ${JSON.stringify(c.req.param('client_code'))}`),
  )
  const ofEach = merchantRoutes((c) => world(find(c)))
  return control.route('/merchants/:client_code', ofEach)
}

export function notFound(name: string): Response {
  return refuse(new Failure('not_found', `There is no ${name}.`))
}

// Without the credentials, although they are no secret here: a real gateway shows a secret once.
function descriptionOf({ merchant: { name, clientCode, accounts, partners }, services }: World) {
  return {
    name,
    client_code: clientCode,
    accounts: accounts.map(({ number, currency }) => ({ account_number: number, currency })),
    services: services.list().map(({ service }) => {
      const { code: service_code, use, currency, accountNumber: account_number } = service
      return { service_code, use, currency, account_number }
    }),
    partners: partners.map(({ accountNumber: account_number, currency, isDynamic: is_dynamic }) => {
      return { account_number, currency, is_dynamic }
    }),
  }
}

/** Applies scenarios to the transactions of the merchant whom a request concerns. */
function playRoutes(worldOf: (c: Context) => World): Hono {
  const routes = new Hono()

  // The id may also be the `external_reference` of a charge.
  routes.post('/checkouts/:id/pay', async (c) => {
    const world = worldOf(c)
    const id = c.req.param('id')
    const session = world.sessions.get(id)
    if (!session) {
      return refuse(transactionUnknown('transaction', 'merchant_transaction_id', id))
    }

    return answer(c, CheckoutPlay, ({ scenario = null, amount = null, ...prompt }) => {
      const { msisdn = session.msisdn, method: methodCode = session.methodCode } = prompt
      const failure = playScenario(world, session, { methodCode, msisdn }, { scenario, amount })
      return failure ?? payloadOf(session, world.clock.now())
    })
  })

  // The scenario of an unknown payout is stored until the payout is created.
  routes.post('/payouts/:payout_reference/play', (c) => {
    const world = worldOf(c)
    const payout_reference = c.req.param('payout_reference')
    const payout = world.payouts.get(payout_reference)

    const apply = ({ scenario }: z.output<typeof PayoutPlay>): Result<object> => {
      const failure = payout
        ? play(world, payout, SCENARIOS[scenario].payout)
        : planScenario(world, payout_reference, scenario)
      return failure ?? (payout ? payoutPayloadOf(payout) : { payout_reference, awaited: scenario })
    }

    return answer(c, PayoutPlay, apply, payout ? 200 : 202)
  })

  routes.post('/airtime/:reference/:phone_number/play', (c) => {
    const { reference, phone_number } = c.req.param()
    const world = worldOf(c)
    return answer(c, AirtimePlay, ({ scenario }) => {
      const recipient = world.airtime.get(reference)?.recipients.get(phone_number)
      if (!recipient) {
        return new Failure('not_found', `There is no airtime ${reference} to ${phone_number}.`)
      }

      const failure = play(world, recipient, SCENARIOS[scenario].airtime)
      return failure ?? entryOf(recipient)
    })
  })

  return routes
}

/**
 * Serves the transactions, the ledger, the portal's addresses and the callbacks of the merchant whom a request
 * concerns.
 */
function merchantRoutes(worldOf: (c: Context) => World): Hono {
  const routes = playRoutes(worldOf)

  routes.get('/ledger', (c) => {
    const { ledger } = worldOf(c)
    return Response.json({
      accounts: [...ledger.balances()].map(([account, balance]) => ({ account, balance })),
      totals: totalsOf(ledger),
      entries: ofReference(c, ledger.entries()),
    })
  })

  routes.get('/accounts/:account_number/statement', (c) => {
    const account_number = c.req.param('account_number')
    const { merchant, ledger } = worldOf(c)
    const account = accountOf(merchant, account_number)
    if (account === null) {
      return notFound(`account ${account_number}`)
    }

    const rows = ledger.statementOf(account)
    const statement = { currency: currencyOfAccount(account), balance: ledger.balanceOf(account), rows }
    return Response.json({ account_number, statements: [statement] })
  })

  routes.get('/portal', (c) => Response.json(worldOf(c).portal.addresses()))
  routes.post('/portal', (c) => {
    const { portal } = worldOf(c)
    return answer(c, PortalSettings, (settings) => portal.set(settings)?.failure ?? portal.addresses())
  })

  routes.get('/callbacks', (c) => Response.json({ callbacks: ofReference(c, worldOf(c).deliveries.list()) }))
  for (const action of ['resend', 'release'] as const) {
    routes.post(`/callbacks/:id/${action}`, (c) => {
      const delivery = worldOf(c).deliveries[action](c.req.param('id'))
      if (delivery) {
        return Response.json(delivery)
      }
      return notFound(`${action === 'release' ? 'held ' : ''}callback ${c.req.param('id')}`)
    })
  }

  return routes
}

/** Returns the items with the `reference` of the query; all of them without it. */
function ofReference<T extends { reference: string }>(c: Context, all: readonly T[]): readonly T[] {
  const wanted = c.req.query('reference')
  return wanted === undefined ? all : all.filter(({ reference }) => reference === wanted)
}

/** Reads the body of a request, and answers with what `apply` makes of it. */
export async function answer<T>(
  c: Context,
  schema: z.ZodType<T>,
  apply: (body: T) => Result<object> | Promise<Result<object>>,
  status: 200 | 202 = 200,
): Promise<Response> {
  const body = await readAs(c.req.raw, schema)
  const result = body instanceof Failure ? body : await apply(body)
  return result instanceof Failure ? refuse(result) : Response.json(result, { status })
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

/** Returns the float account or the partner account with a number. */
function accountOf(merchant: Merchant, account_number: string): Account | null {
  const partner = findPartner(merchant, account_number)
  if (partner) {
    return `partner/${account_number}/${partner.currency}`
  }

  const account = findAccount(merchant, account_number)
  return account ? `float/${account_number}/${account.currency}` : null
}

/** Serves what the merchants share. */
function sandboxRoutes(simulation: Simulation): Hono {
  const routes = new Hono()
  const { faults, requests } = simulation.world()
  const listFaults = () => ({ faults: faults.list() })

  routes.get('/', () => Response.json({ routes: CONTROL_ROUTES, faults: FAULTS }))
  routes.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))
  routes.get('/requests', () => Response.json({ requests: requests.list() }))

  routes.get('/faults', () => Response.json(listFaults()))
  routes.post('/faults', (c) =>
    answer(c, FaultRequest, (fault) =>
      faults.add(fault) ? listFaults() : notPossible('There are too many faults; DELETE them first.'),
    ),
  )
  routes.delete('/faults', () => {
    faults.clear()
    return Response.json(listFaults())
  })
  return routes
}
