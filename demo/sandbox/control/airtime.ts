/** What networks do with airtime, under `/_sandbox/airtime`. For tests and people, not in the spec. */

import { Hono } from 'hono'
import { z } from 'zod'
import { play } from '../airtime/network.ts'
import { entryOf } from '../airtime/recipient.ts'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import { isAirtimeScenario } from '../scenarios.ts'
import type { Stage } from '../world.ts'

const Play = z.object({
  scenario: z.string().refine(isAirtimeScenario, 'must be an airtime scenario of GET /_sandbox/scenarios'),
})

export function airtimeControlRoutes(stage: Stage): Hono {
  const control = new Hono()

  control.post('/airtime/:reference/:phone_number/play', async (c) => {
    const wish = await readAs(c.req.raw, Play)
    if ('failure' in wish) return refuse(wish.failure)
    const { reference, phone_number } = c.req.param()
    const world = stage.world()
    const recipient = world.airtime.get(reference)?.recipients.get(phone_number)
    if (!recipient) return refuse({ reason: 'not_found', what: `airtime ${reference} to ${phone_number}` })
    const failure = play(world, recipient, wish.value.scenario)
    return failure ? refuse(failure) : Response.json(entryOf(recipient))
  })

  return control
}
