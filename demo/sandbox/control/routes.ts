/** The control interface under `/_sandbox`: time, customers, operators, callbacks, faults. For tests and people, not in the spec. */

import { Hono } from 'hono'
import { z } from 'zod'
import { msisdn, text } from '../../../server/contract/fields.ts'
import { readAs } from '../wire/body.ts'
import { payloadOf } from '../sessions/session.ts'
import { airtimeControlRoutes } from './airtime.ts'
import { bookRoutes } from './ledger.ts'
import { payoutControlRoutes } from './payouts.ts'
import { portalRoutes } from './portal.ts'
import { play } from '../sessions/customer.ts'
import { refuse } from '../wire/failure.ts'
import { FaultRequest } from '../wire/faults.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { isCheckoutScenario, listScenarios } from '../scenarios.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Stage } from '../world.ts'

/** A simulation of years in one request is a mistake in units. */
const MAX_ADVANCE_SECONDS = 366 * 24 * 3_600
/** Beyond this, deadlines pass before an answer on loopback can arrive. */
const MAX_SPEED = 3_600

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })
const Pay = z.object({
  scenario: z
    .string()
    .refine(isCheckoutScenario, 'must be a checkout scenario of GET /_sandbox/scenarios')
    .optional(),
  amount: z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
    .refine(isPayableAmount, 'must be a positive amount with at most two fraction digits')
    .optional(),
  msisdn: msisdn.optional(),
  method: text(32).optional(),
})

export function controlRoutes(stage: Stage): Hono {
  const { timeline } = stage
  const control = new Hono()

  control.get('/clock', () => clock(timeline))

  control.post('/clock', async (c) => {
    const wish = await readAs(c.req.raw, Speed)
    if ('failure' in wish) return refuse(wish.failure)
    try {
      timeline.setSpeed(wish.value.speed)
    } catch (error) {
      // A simulation's time moves only when it is told to.
      if (!(error instanceof RangeError)) throw error
      return refuse({ reason: 'not_possible_now', problem: error.message })
    }
    return clock(timeline)
  })

  control.post('/clock/advance', async (c) => {
    const wish = await readAs(c.req.raw, Advance)
    if ('failure' in wish) return refuse(wish.failure)
    await timeline.advance(wish.value.seconds * 1_000)
    return clock(timeline)
  })

  /** Of a charge by its external_reference. */
  control.post('/checkouts/:merchant_transaction_id/pay', async (c) => {
    const world = stage.world()
    const id = c.req.param('merchant_transaction_id')
    const session = world.checkouts.get(id)
    if (!session)
      return refuse({
        reason: 'transaction_unknown',
        transaction: `merchant_transaction_id ${JSON.stringify(id)}`,
      })
    const wish = await readAs(c.req.raw, Pay)
    if ('failure' in wish) return refuse(wish.failure)
    const { scenario = null, amount = null } = wish.value
    const { msisdn = session.msisdn, method: methodCode = session.methodCode } = wish.value
    const failure = play(world, session, { methodCode, msisdn }, { scenario, amount })
    return failure ? refuse(failure) : Response.json(payloadOf(session, world.agenda.now()))
  })

  control.route('/', payoutControlRoutes(stage))
  control.route('/', airtimeControlRoutes(stage))
  control.route('/', bookRoutes(stage))
  control.route('/', portalRoutes(stage))

  control.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))

  control.get('/callbacks', (c) => {
    const wanted = c.req.query('reference')
    const all = stage.world().deliveries.list()
    const callbacks = wanted === undefined ? all : all.filter(({ reference }) => reference === wanted)
    return Response.json({ callbacks })
  })

  control.post('/callbacks/:id/resend', (c) => {
    const id = c.req.param('id')
    const delivery = stage.world().deliveries.resend(id)
    return delivery ? Response.json(delivery) : refuse({ reason: 'not_found', what: `callback ${id}` })
  })

  control.get('/requests', () => Response.json({ requests: stage.world().requests.list() }))

  control.get('/faults', () => listFaults(stage))

  control.post('/faults', async (c) => {
    const wish = await readAs(c.req.raw, FaultRequest)
    if ('failure' in wish) return refuse(wish.failure)
    return stage.world().faults.add(wish.value)
      ? listFaults(stage)
      : refuse({ reason: 'not_possible_now', problem: 'There are too many faults; DELETE them first.' })
  })

  control.delete('/faults', () => {
    stage.world().faults.clear()
    return listFaults(stage)
  })

  control.post('/reset', () => {
    stage.reset()
    return clock(timeline)
  })

  return control
}

function listFaults(stage: Stage): Response {
  return Response.json({ faults: stage.world().faults.list() })
}

function clock(timeline: Timeline): Response {
  return Response.json({ now: new Date(timeline.now()).toISOString(), speed: timeline.speed() })
}
