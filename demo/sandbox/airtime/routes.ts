// A refused request gets a payout acknowledgement with `reference` instead of `payout_reference`. [spec: Endpoints,
// notes 5 and 7]

import { Hono } from 'hono'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { entryOf } from './recipient.ts'
import { sendAirtime } from './acceptance.ts'
import { readJson } from '../wire/body.ts'
import { accept, refuseUnknown, reject, rejectFailure } from '../wire/acknowledgement.ts'
import type { Simulation } from '../world.ts'

// Enough for 1,000 recipients as indented JSON.
const BODY_LIMIT_BYTES = 256 * 1024

export function airtimeRoutes(simulation: Simulation): Hono {
  const { sendAirtime: send, getAirtimeStatus: status } = endpoints
  const routes = new Hono()

  routes.on(send.method, send.path, async (c) => {
    const access = simulation.authorize(c.req.header(send.token))
    if ('failure' in access) return rejectFailure('reference', access.failure)
    const body = await readJson(c.req.raw, BODY_LIMIT_BYTES)
    if ('failure' in body) return rejectFailure('reference', body.failure)
    const world = simulation.world(access.value)
    world.requests.addBody(c.req.raw, body.value)
    const sent = sendAirtime(world, body.value)
    if ('value' in sent) return accept({ reference: sent.value.reference })
    const { reference } = body.value
    return reject({ reference: typeof reference === 'string' ? reference : null }, sent.rejection)
  })

  routes.on(status.method, status.path, (c) => {
    const access = simulation.authorize(c.req.header(status.token))
    if ('failure' in access) return rejectFailure('reference', access.failure)
    const reference = c.req.param('reference') ?? ''
    const airtime = simulation.world(access.value).airtime.get(reference)
    if (airtime) return Response.json([...airtime.recipients.values()].map(entryOf))
    return refuseUnknown({ reference })
  })

  return routes
}
