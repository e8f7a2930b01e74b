import { Hono } from 'hono'
import { z } from 'zod'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { PortalSettings, portalProblem } from '../callbacks/portal.ts'
import { fieldWrong } from '../wire/fields.ts'
import { listScenarios } from '../scenarios.ts'
import { MAX_ADVANCE_SECONDS, MAX_SPEED } from '../timeline/limits.ts'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import { FaultRequest } from '../wire/faults.ts'
import { ledgerRoutes } from './ledger.ts'
import { transactionRoutes } from './transactions.ts'
import type { Context } from 'hono'
import type { Merchant } from '../merchant.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { WorldOf } from './world-of.ts'
import type { Simulation, World } from '../world.ts'

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })

/**
 * Serves what concerns the whole sandbox, and what concerns the first merchant. The routes below `/merchants/` concern
 * one merchant each.
 */
export function controlRoutes(simulation: Simulation): Hono {
  const { merchants } = simulation
  const control = new Hono()
  const first = () => simulation.world()
  const named = (c: Context) => simulation.world(findMerchant(merchants, c))

  control.route('/', sandboxRoutes(simulation))
  control.route('/', merchantRoutes(first))
  control.get('/merchants', () => Response.json({ merchants: simulation.worlds().map(descriptionOf) }))
  control.use('/merchants/:client_code/*', async (c, next) => {
    if (findMerchant(merchants, c)) return next()
    const what = `merchant ${JSON.stringify(c.req.param('client_code'))}`
    return refuse({ reason: 'not_found', what })
  })
  control.route('/merchants/:client_code', merchantRoutes(named))
  return control
}

function findMerchant(merchants: readonly Merchant[], c: Context): Merchant | undefined {
  return merchants.find(({ clientCode }) => clientCode === c.req.param('client_code'))
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

function merchantRoutes(worldOf: WorldOf): Hono {
  const routes = new Hono()

  routes.route('/', transactionRoutes(worldOf))
  routes.route('/', ledgerRoutes(worldOf))

  routes.get('/portal', (c) => Response.json(worldOf(c).portal.addresses()))

  routes.post('/portal', async (c) => {
    const body = await readAs(c.req.raw, PortalSettings)
    if ('failure' in body) return refuse(body.failure)
    const { portal, callbackHosts } = worldOf(c)
    const problem = portalProblem(body.value, callbackHosts)
    if (problem !== null) return refuse(fieldWrong(CHECKOUT_CODE.validationFailed, problem))
    portal.set(body.value)
    return Response.json(portal.addresses())
  })

  routes.get('/callbacks', (c) => {
    const wanted = c.req.query('reference')
    const all = worldOf(c).deliveries.list()
    const callbacks = wanted === undefined ? all : all.filter(({ reference }) => reference === wanted)
    return Response.json({ callbacks })
  })

  routes.post('/callbacks/:id/resend', (c) => {
    const id = c.req.param('id')
    const delivery = worldOf(c).deliveries.resend(id)
    return delivery ? Response.json(delivery) : refuse({ reason: 'not_found', what: `callback ${id}` })
  })

  return routes
}

function sandboxRoutes(simulation: Simulation): Hono {
  const { timeline } = simulation
  const routes = new Hono()

  routes.get('/clock', () => clockResponse(timeline))

  routes.post('/clock', async (c) => {
    const body = await readAs(c.req.raw, Speed)
    if ('failure' in body) return refuse(body.failure)
    try {
      timeline.setSpeed(body.value.speed)
    } catch (error) {
      // A timeline without real time (`wall: null`) throws a RangeError, because it has no speed.
      if (!(error instanceof RangeError)) throw error
      return refuse({ reason: 'not_possible_now', problem: error.message })
    }
    return clockResponse(timeline)
  })

  routes.post('/clock/advance', async (c) => {
    const body = await readAs(c.req.raw, Advance)
    if ('failure' in body) return refuse(body.failure)
    await timeline.advance(body.value.seconds * 1_000)
    return clockResponse(timeline)
  })

  routes.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))

  routes.get('/requests', () => Response.json({ requests: simulation.world().requests.list() }))

  routes.get('/faults', () => faultsResponse(simulation))

  routes.post('/faults', async (c) => {
    const body = await readAs(c.req.raw, FaultRequest)
    if ('failure' in body) return refuse(body.failure)
    return simulation.world().faults.add(body.value)
      ? faultsResponse(simulation)
      : refuse({ reason: 'not_possible_now', problem: 'There are too many faults; DELETE them first.' })
  })

  routes.delete('/faults', () => {
    simulation.world().faults.clear()
    return faultsResponse(simulation)
  })

  routes.post('/reset', () => {
    simulation.reset()
    return clockResponse(timeline)
  })

  return routes
}

function faultsResponse(simulation: Simulation): Response {
  return Response.json({ faults: simulation.world().faults.list() })
}

function clockResponse(timeline: Timeline): Response {
  return Response.json({ now: new Date(timeline.now()).toISOString(), speed: timeline.speed() })
}
