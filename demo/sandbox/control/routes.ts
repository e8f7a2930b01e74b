import { Hono } from 'hono'
import { z } from 'zod'
import { PortalSettings } from '../callbacks/portal.ts'
import { listScenarios } from '../scenarios.ts'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import { FaultRequest } from '../wire/faults.ts'
import { ledgerRoutes } from './ledger.ts'
import { transactionRoutes } from './transactions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Simulation } from '../world.ts'

// 366 days. A larger number is probably in the wrong unit.
const MAX_ADVANCE_SECONDS = 366 * 24 * 3_600
/**
 * The maximum speed, in virtual seconds per real second. Timeouts are measured in virtual time. At a higher speed,
 * requests would therefore time out before their responses arrive.
 */
const MAX_SPEED = 3_600

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })

export function controlRoutes(simulation: Simulation): Hono {
  const { timeline } = simulation
  const control = new Hono()

  control.route('/', transactionRoutes(simulation))
  control.route('/', ledgerRoutes(simulation))

  control.get('/clock', () => clockResponse(timeline))

  control.post('/clock', async (c) => {
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

  control.post('/clock/advance', async (c) => {
    const body = await readAs(c.req.raw, Advance)
    if ('failure' in body) return refuse(body.failure)
    await timeline.advance(body.value.seconds * 1_000)
    return clockResponse(timeline)
  })

  control.get('/portal', () => Response.json(simulation.world().portal.addresses()))

  control.post('/portal', async (c) => {
    const body = await readAs(c.req.raw, PortalSettings)
    if ('failure' in body) return refuse(body.failure)
    const { portal } = simulation.world()
    portal.set(body.value)
    return Response.json(portal.addresses())
  })

  control.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))

  control.get('/callbacks', (c) => {
    const wanted = c.req.query('reference')
    const all = simulation.world().deliveries.list()
    const callbacks = wanted === undefined ? all : all.filter(({ reference }) => reference === wanted)
    return Response.json({ callbacks })
  })

  control.post('/callbacks/:id/resend', (c) => {
    const id = c.req.param('id')
    const delivery = simulation.world().deliveries.resend(id)
    return delivery ? Response.json(delivery) : refuse({ reason: 'not_found', what: `callback ${id}` })
  })

  control.get('/requests', () => Response.json({ requests: simulation.world().requests.list() }))

  control.get('/faults', () => faultsResponse(simulation))

  control.post('/faults', async (c) => {
    const body = await readAs(c.req.raw, FaultRequest)
    if ('failure' in body) return refuse(body.failure)
    return simulation.world().faults.add(body.value)
      ? faultsResponse(simulation)
      : refuse({ reason: 'not_possible_now', problem: 'There are too many faults; DELETE them first.' })
  })

  control.delete('/faults', () => {
    simulation.world().faults.clear()
    return faultsResponse(simulation)
  })

  control.post('/reset', () => {
    simulation.reset()
    return clockResponse(timeline)
  })

  return control
}

function faultsResponse(simulation: Simulation): Response {
  return Response.json({ faults: simulation.world().faults.list() })
}

function clockResponse(timeline: Timeline): Response {
  return Response.json({ now: new Date(timeline.now()).toISOString(), speed: timeline.speed() })
}
