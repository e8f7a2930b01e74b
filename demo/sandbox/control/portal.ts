/** What the merchant has set in the portal, under `/_sandbox/portal`. For tests and people, not in the spec. */

import { Hono } from 'hono'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import { PortalSettings } from '../callbacks/portal.ts'
import type { Stage } from '../world.ts'

export function portalRoutes(stage: Stage): Hono {
  const control = new Hono()

  control.get('/portal', () => Response.json(stage.world().portal.addresses()))

  control.post('/portal', async (c) => {
    const wish = await readAs(c.req.raw, PortalSettings)
    if ('failure' in wish) return refuse(wish.failure)
    const { portal } = stage.world()
    portal.set(wish.value)
    return Response.json(portal.addresses())
  })

  return control
}
