import { Hono } from 'hono'
import { z } from 'zod'
import { sum } from '../../../server/contract/decimal.ts'
import { possibleMsisdn, text } from '../../../server/contract/fields.ts'
import { entryOf } from '../airtime/recipient.ts'
import { PortalSettings, portalAddressProblem } from '../callbacks/portal-addresses.ts'
import { findAccount, findPartner } from '../merchant.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { currencyOfAccount } from '../money/ledger.ts'
import { planScenario } from '../payouts/acceptance.ts'
import { payoutPayloadOf } from '../payouts/payout.ts'
import { isScenarioOf, listScenarios, SCENARIOS } from '../scenarios.ts'
import { playScenario } from '../sessions/customer.ts'
import { payloadOf } from '../sessions/session.ts'
import { play } from '../settlement/operator.ts'
import { readAs } from '../wire/body.ts'
import { Failure, notPossible, refuse } from '../wire/failure.ts'
import { FaultRequest } from '../wire/faults.ts'
import type { Context } from 'hono'
import type { Merchant } from '../merchant.ts'
import type { Account, Ledger } from '../money/ledger.ts'
import type { Result } from '../wire/failure.ts'
import type { Simulation, World } from '../world.ts'

const scenarioFor = <K extends 'checkout' | 'payout' | 'airtime'>(kind: K, article = 'a') =>
  z.string().refine(isScenarioOf(kind), `must be ${article} ${kind} scenario of GET /_sandbox/scenarios`)
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
const AirtimePlay = z.object({ scenario: scenarioFor('airtime', 'an') })

/**
 * Serves what concerns the whole sandbox, and what concerns the first merchant. The routes below `/merchants/` concern
 * one merchant each.
 */
export function controlRoutes(simulation: Simulation): Hono {
  const { merchants, world } = simulation
  const find = (c: Context) => merchants.find(({ clientCode }) => clientCode === c.req.param('client_code'))
  const [ofFirst, ofEach] = [merchantRoutes(() => world()), merchantRoutes((c) => world(find(c)))]
  const control = sandboxRoutes(simulation).route('/', ofFirst)
  control.get('/merchants', () => Response.json({ merchants: simulation.worlds().map(descriptionOf) }))
  control.use('/merchants/:client_code/*', async (c, next) => {
    if (find(c)) return next()
    return notFound(`merchant ${JSON.stringify(c.req.param('client_code'))}`)
  })
  return control.route('/merchants/:client_code', ofEach)
}

export function notFound(what: string): Response {
  return refuse(new Failure('not_found', `There is no ${what}.`))
}

// Without the credentials, although they are no secret here: a real gateway shows a secret once.
function descriptionOf({ merchant, services }: World) {
  const { name, clientCode, accounts, partners } = merchant
  return {
    name,
    client_code: clientCode,
    accounts: accounts.map(({ number, currency }) => ({ account_number: number, currency })),
    services: services.list().map(({ service: { code, use, currency, accountNumber } }) => ({
      service_code: code,
      use,
      currency,
      account_number: accountNumber,
    })),
    partners: partners.map(({ accountNumber, currency, isDynamic }) => ({
      account_number: accountNumber,
      currency,
      is_dynamic: isDynamic,
    })),
  }
}

/** Applies scenarios to the transactions of the merchant whom a request concerns. */
function playRoutes(worldOf: (c: Context) => World): Hono {
  const routes = new Hono()

  // The id may also be the `external_reference` of a charge.
  routes.post('/checkouts/:id/pay', async (c) => {
    const [world, id] = [worldOf(c), c.req.param('id')]
    const session = world.sessions.get(id)
    const message = `No transaction has the merchant_transaction_id ${JSON.stringify(id)}.`
    if (!session) return refuse(new Failure('transaction_unknown', message))
    return answer(c, CheckoutPlay, ({ scenario = null, amount = null, ...prompt }) => {
      const { msisdn = session.msisdn, method: methodCode = session.methodCode } = prompt
      const failure = playScenario(world, session, { methodCode, msisdn }, { scenario, amount })
      return failure ?? payloadOf(session, world.clock.now())
    })
  })

  // The scenario of an unknown payout is stored until the payout is created.
  routes.post('/payouts/:payout_reference/play', (c) => {
    const [world, payout_reference] = [worldOf(c), c.req.param('payout_reference')]
    const payout = world.payouts.get(payout_reference)
    const act = ({ scenario }: z.output<typeof PayoutPlay>): Result<object> => {
      const failure = payout
        ? play(world, payout, SCENARIOS[scenario].payout)
        : planScenario(world, payout_reference, scenario)
      return failure ?? (payout ? payoutPayloadOf(payout) : { payout_reference, awaited: scenario })
    }
    return answer(c, PayoutPlay, act, payout ? 200 : 202)
  })

  routes.post('/airtime/:reference/:phone_number/play', (c) => {
    const { reference, phone_number } = c.req.param()
    const world = worldOf(c)
    return answer(c, AirtimePlay, ({ scenario }) => {
      const recipient = world.airtime.get(reference)?.recipients.get(phone_number)
      if (!recipient) return new Failure('not_found', `There is no airtime ${reference} to ${phone_number}.`)
      const failure = play(world, recipient, SCENARIOS[scenario].airtime)
      return failure ?? entryOf(recipient)
    })
  })

  return routes
}

/** Serves the state of the merchant whom a request concerns. */
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
    if (account === null) return notFound(`account ${account_number}`)
    const [currency, balance] = [currencyOfAccount(account), ledger.balanceOf(account)]
    const statement = { currency, balance, rows: ledger.statementOf(account) }
    return Response.json({ account_number, statements: [statement] })
  })

  routes.get('/portal', (c) => Response.json(worldOf(c).portal.addresses()))
  routes.post('/portal', (c) => {
    const { portal, callbackHosts } = worldOf(c)
    return answer(c, PortalSettings, (settings) => {
      const problem = portalAddressProblem(settings, callbackHosts)
      if (problem !== null) return problem
      portal.set(settings)
      return portal.addresses()
    })
  })

  routes.get('/callbacks', (c) => Response.json({ callbacks: ofReference(c, worldOf(c).deliveries.list()) }))
  for (const [act, what] of [
    ['resend', 'callback'],
    ['release', 'held callback'],
  ] as const)
    routes.post(`/callbacks/:id/${act}`, (c) => {
      const id = c.req.param('id')
      const delivery = worldOf(c).deliveries[act](id)
      return delivery ? Response.json(delivery) : notFound(`${what} ${id}`)
    })
  return routes
}

function ofReference<T extends { reference: string }>(c: Context, all: readonly T[]): readonly T[] {
  const wanted = c.req.query('reference')
  return wanted === undefined ? all : all.filter(({ reference }) => reference === wanted)
}

export async function answer<T>(
  c: Context,
  schema: z.ZodType<T>,
  act: (body: T) => Result<object> | Promise<Result<object>>,
  success: 200 | 202 = 200,
): Promise<Response> {
  const body = await readAs(c.req.raw, schema)
  const result = body instanceof Failure ? body : await act(body)
  return result instanceof Failure ? refuse(result) : Response.json(result, { status: success })
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

function sandboxRoutes(simulation: Simulation): Hono {
  const routes = new Hono()
  const faults = () => ({ faults: simulation.world().faults.list() })

  routes.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))
  routes.get('/requests', () => Response.json({ requests: simulation.world().requests.list() }))

  routes.get('/faults', () => Response.json(faults()))
  routes.post('/faults', (c) =>
    answer(c, FaultRequest, (fault) =>
      simulation.world().faults.add(fault)
        ? faults()
        : notPossible('There are too many faults; DELETE them first.'),
    ),
  )
  routes.delete('/faults', () => {
    simulation.world().faults.clear()
    return Response.json(faults())
  })
  return routes
}
