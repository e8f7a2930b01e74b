// A refused request gets a payout acknowledgement. [spec: Payout acknowledgement]

import { Hono } from 'hono'
import { endpoints } from '../../../server/contract/endpoints.ts'
import { findB2b, initiateB2b } from './to-businesses.ts'
import { readJson } from '../wire/body.ts'
import { payoutPayloadOf } from './result.ts'
import { findPayout, initiatePayout, initiateTransfer } from './to-customers.ts'
import { accept, refuseUnknown, reject, rejectFailure } from '../wire/acknowledgement.ts'
import type { Context } from 'hono'
import type { Fields } from '../wire/fields.ts'
import type { Payout } from './payout.ts'
import type { Checked } from '../wire/acknowledgement.ts'
import type { Simulation, World } from '../world.ts'

export function payoutRoutes(simulation: Simulation): Hono {
  const { initiatePayout: local, initiateTransfer: transfer, initiateB2b: b2b } = endpoints
  const { getPayoutStatus, getB2bStatus } = endpoints
  const routes = new Hono()

  routes.on(local.method, local.path, (c) => initiate(simulation, c.req.raw, tokenOf(c), initiatePayout))
  // [assumed] `Authorization`, which the spec names for transfers, alone counts where it is sent. Otherwise the header of
  // the other calls counts.
  routes.on(transfer.method, transfer.path, (c) =>
    initiate(simulation, c.req.raw, bearerOf(c) || tokenOf(c), initiateTransfer),
  )
  routes.on(b2b.method, b2b.path, (c) => initiate(simulation, c.req.raw, tokenOf(c), initiateB2b))
  routes.on(getPayoutStatus.method, getPayoutStatus.path, (c) => status(simulation, c, findPayout))
  routes.on(getB2bStatus.method, getB2bStatus.path, (c) => status(simulation, c, findB2b))
  return routes
}

async function initiate(
  simulation: Simulation,
  request: Request,
  token: string | undefined,
  acceptOrRefuse: (world: World, body: Fields) => Checked<Payout>,
): Promise<Response> {
  const access = simulation.authorize(token)
  if ('failure' in access) return rejectFailure('payout_reference', access.failure)
  const body = await readJson(request)
  if ('failure' in body) return rejectFailure('payout_reference', body.failure)
  const world = simulation.world(access.value)
  world.requests.addBody(request, body.value)
  const result = acceptOrRefuse(world, body.value)
  if ('value' in result) return accept({ payout_reference: result.value.funds.reference })
  const { payout_reference: given } = body.value
  return reject({ payout_reference: typeof given === 'string' ? given : null }, result.rejection)
}

function status(
  simulation: Simulation,
  c: Context,
  find: (world: World, payout_reference: string) => Payout | undefined,
): Response {
  const access = simulation.authorize(tokenOf(c))
  if ('failure' in access) return rejectFailure('payout_reference', access.failure)
  const payout_reference = c.req.param('payout_reference') ?? ''
  const payout = find(simulation.world(access.value), payout_reference)
  return payout ? Response.json(payoutPayloadOf(payout)) : refuseUnknown({ payout_reference })
}

// [spec: Authentication, 1]
function tokenOf(c: Context): string | undefined {
  return c.req.header('x-access-token')
}

// [spec: Endpoints, note 4] [assumed] The word "Bearer" before the token is optional.
function bearerOf(c: Context): string | undefined {
  return c.req.header('authorization')?.replace(/^\s*(bearer(\s+|$))?/i, '')
}
