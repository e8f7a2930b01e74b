import { expect, test } from 'vitest'
import type { World, WorldOptions } from '../support/world.ts'
import { DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR

async function openWorld(aheadMs: number, options: WorldOptions): Promise<World> {
  const shop = await createWorld(options)
  shop.bffClock.aheadMs = aheadMs
  shop.network.reliability.callbacks = DOWN
  shop.order('A-1')
  return shop
}

/** What waits when the clock jumps back. Each ends with an event once it goes on. */
const WAITING: Record<string, (open: (options?: WorldOptions) => Promise<World>) => Promise<World>> = {
  async 'a query'(open) {
    const shop = await open()
    const view = await shop.start('A-1')
    await shop.later(3 * SECOND)
    shop.bffClock.aheadMs = 0
    await shop.pay(view, 'approve')
    return shop
  },

  async 'a query of a process that was killed'(open) {
    const status = { answer: (): Promise<Response> | undefined => new Promise(() => {}) }
    const shop = await open({ gateway: (url) => (url.includes('/status/') ? status.answer() : undefined) })
    const view = await shop.start('A-1')
    await shop.later(21 * SECOND)
    shop.bffClock.aheadMs = 0
    status.answer = () => undefined
    await shop.pay(view, 'approve')
    await shop.restart()
    return shop
  },

  async 'a query after a failure'(open) {
    const shop = await open()
    const view = await shop.start('A-1')
    const refused = { fault: 'status', status: 503, probability: 1, seed: 1 }
    await shop.control('/faults', { route: '/v2/checkout/status', ...refused })
    await shop.later(60 * SECOND)
    shop.bffClock.aheadMs = 0
    await shop.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
    await shop.pay(view, 'approve')
    return shop
  },

  async 'a delivery'(open) {
    let status = 503
    const shop = await open({ backend: () => new Response(null, { status }) })
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(23 * SECOND)
    shop.bffClock.aheadMs = 0
    status = 204
    return shop
  },
}

test.each(Object.keys(WAITING).flatMap((what) => [HOUR, 4 * YEAR].map((ms) => [what, ms] as const)))(
  'after the clock has jumped back, %s is not late by more than a minute: %i ms',
  async (what, ms) => {
    const shop = await WAITING[what]!((options = {}) => openWorld(ms, options))
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  },
)
