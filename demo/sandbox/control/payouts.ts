/** What operators do with payouts, under `/_sandbox/payouts`. For tests and people, not in the spec. */

import { Hono } from 'hono'
import { z } from 'zod'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import { play } from '../payouts/operator.ts'
import { resultOf } from '../payouts/result.ts'
import { isPayoutScenario } from '../scenarios.ts'
import type { Stage } from '../world.ts'

const MAX_PLANS = 10_000

const Play = z.object({
  scenario: z.string().refine(isPayoutScenario, 'must be a payout scenario of GET /_sandbox/scenarios'),
})

export function payoutControlRoutes(stage: Stage): Hono {
  const control = new Hono()

  /** A payout that is there moves on at once; for one that is still to come, the scenario waits. */
  control.post('/payouts/:payout_reference/play', async (c) => {
    const wish = await readAs(c.req.raw, Play)
    if ('failure' in wish) return refuse(wish.failure)
    const { scenario } = wish.value
    const payout_reference = c.req.param('payout_reference')
    const world = stage.world()
    const payout = world.payouts.get(payout_reference)
    if (payout) {
      const failure = play(world, payout, scenario)
      return failure ? refuse(failure) : Response.json(resultOf(payout))
    }
    if (world.plans.size >= MAX_PLANS)
      return refuse({ reason: 'not_possible_now', problem: 'Too many payouts are awaited; reset to go on.' })
    world.plans.set(payout_reference, scenario)
    return Response.json({ payout_reference, awaited: scenario }, { status: 202 })
  })

  return control
}
