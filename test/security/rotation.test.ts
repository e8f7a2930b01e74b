import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import { createPortalAddress } from '../../server/callbacks/callbacks.ts'
import { readConfig } from '../../server/config/config.ts'
import { signOrder } from '../../server/index.ts'
import { BFF, createWorld, ENVIRONMENT, START } from '../support/world.ts'
import type { World } from '../support/world.ts'

const OLD = 'the value before, 9f3a1c70be5d6482'
const NEW = 'the new value, 4e9Vb1n7oHcPqTzLw2'

/** The configurations during the rotation of a secret: before, while both values are accepted, and after. */
const stagesOf = (
  name: string,
  old = OLD,
  next = NEW,
): Record<'before' | 'during' | 'after', Environment> => ({
  before: { [name]: old },
  during: { [name]: next, [`${name}_PREVIOUS`]: old },
  after: { [name]: next },
})

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

describe('while a secret is rotated, what has the old value is accepted beside what has the new one', () => {
  const stages = ['before', 'during', 'after'] as const
  const BOTH = { before: [true, false], during: [true, true], after: [false, true] }

  test.each(stages)('MERCHANT_API_KEY: requests of the backend, %s', async (stage) => {
    const world = await createWorld({ env: stagesOf('MERCHANT_API_KEY')[stage] })
    const isAccepted = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await world.ask('/api/payouts', { headers })).status === 200
    }
    expect([await isAccepted(OLD), await isAccepted(NEW)]).toEqual(BOTH[stage])
  })

  test.each(stages)('ORDER_SIGNING_KEY: orders in pages, %s', async (stage) => {
    const env = stagesOf('ORDER_SIGNING_KEY')[stage]
    const world = await createWorld({ ordersFromConfig: true, env })
    const isAccepted = async (key: string) => {
      const order = { order: key, amount: '500', currency: 'KES', narration: 'Two kangas' }
      const jws = await signOrder(order, { key, audience: BFF, issuedAt: START / 1000, lifetime: 3600 })
      return (await world.initiate(jws)).status === 201
    }
    expect([await isAccepted(OLD), await isAccepted(NEW)]).toEqual(BOTH[stage])
  })

  test.each(stages)('CALLBACK_SECRET: addresses in the portal, %s', async (stage) => {
    const { before, after } = stagesOf('CALLBACK_SECRET')
    const world = await createWorld({ env: stagesOf('CALLBACK_SECRET')[stage] })
    const isAccepted = (env: Environment) => isPortalAddressOf(world, env)
    expect([await isAccepted(before), await isAccepted(after)]).toEqual(BOTH[stage])
  })

  test.each(stages)('GATEWAY_CONSUMER_SECRET: addresses derived from it, %s', async (stage) => {
    const { before, after } = stagesOf('GATEWAY_CONSUMER_SECRET')
    const world = await createWorld({ env: stagesOf('GATEWAY_CONSUMER_SECRET')[stage] })
    const isAccepted = (env: Environment) => isPortalAddressOf(world, env)
    expect([await isAccepted(before), await isAccepted(after)]).toEqual(BOTH[stage])
  })

  test.each(stages)('CALLBACK_BASIC_AUTH: callbacks, %s', async (stage) => {
    const pairs = [`gateway:${OLD}`, `gateway:${NEW}`] as const
    const env = stagesOf('CALLBACK_BASIC_AUTH', ...pairs)[stage]
    const world = await createWorld({ env })
    const address = createPortalAddress('payouts', readConfig({ ...ENVIRONMENT, ...env })).url
    const isAccepted = async (pair: string) => {
      const init = { method: 'POST', headers: basic(pair), body: '{}' }
      return (await world.ask(address.replace(BFF, ''), init)).status === 200
    }
    expect([await isAccepted(pairs[0]), await isAccepted(pairs[1])]).toEqual(BOTH[stage])
  })

  test.each(stages)(
    'MERCHANT_WEBHOOK_SECRET: deliveries to a backend that knows one value, %s',
    async (stage) => {
      const known = ENVIRONMENT['MERCHANT_WEBHOOK_SECRET'] ?? ''
      const other = `whsec_${Buffer.from(NEW).toString('base64')}`
      const isAccepted = async (old: string, next: string) => {
        const world = await createWorld({ env: stagesOf('MERCHANT_WEBHOOK_SECRET', old, next)[stage] })
        world.order('A-1')
        await world.pay(await world.start('A-1'), 'approve')
        await world.later(60_000)
        return world.types().includes('checkout.paid')
      }
      expect([await isAccepted(known, other), await isAccepted(other, known)]).toEqual(BOTH[stage])
    },
  )
})

async function isPortalAddressOf(world: World, env: Environment): Promise<boolean> {
  const { url } = createPortalAddress('payouts', readConfig({ ...ENVIRONMENT, ...env }))
  return (await world.ask(url.replace(BFF, ''), { method: 'POST', body: '{}' })).status === 200
}
