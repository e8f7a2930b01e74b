import { expect, test } from 'vitest'

import { openStore } from '../../../server/store/open.ts'
import { MINUTE } from '../../../server/transactions/schedule.ts'
import { localPayout } from '../../support/spec/payouts.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { World } from '../../support/worlds/world.ts'

const REPLACED = { GATEWAY_CONSUMER_SECRET: 'a new secret' }
const BOTH = { ...REPLACED, GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' }

/** A gateway that counts what it is sent, knows nothing else, and whose authentication may be away. */
function createGateway() {
  const gateway = { isAway: true, sent: 0 }
  const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

  const answer = (url: string) => {
    if (url.endsWith('/v1/auth')) {
      return gateway.isAway ? reply({}, 503) : reply({ access_token: 'a token', expiresIn: 3_600 })
    }
    if (url.endsWith('/status')) {
      return gateway.sent === 0 ? reply({ response_code: 723 }) : reply({}, 503)
    }

    gateway.sent++
    return reply({ response_code: 720 })
  }
  return { gateway, answer }
}

/** Lets the worker run once a minute. */
async function work(world: World, minutes: number): Promise<void> {
  for (let minute = 1; minute <= minutes; minute++) {
    await world.later(MINUTE)
  }
}

test.each([
  ['airtime', '/airtime', { reference: 'AT', recipients: [{ phone_number: '254700000001', amount: '10' }] }],
  ['a payout', '/payouts', localPayout],
])(
  'what was never sent, and cannot be decrypted, is still unsent, and sent with the earlier secret: %s',
  async (_, path, body) => {
    const store = openStore('sqlite::memory:')
    const { gateway, answer } = createGateway()
    const start = (env = {}) => createWorld({ store, gateway: answer, env })
    const one = await start()
    await one.api(path, body)
    gateway.isAway = false

    const two = await start(REPLACED)
    await work(two, 10)
    expect({ sent: gateway.sent, told: two.types() }).toEqual({ sent: 0, told: [] })

    const three = await start(BOTH)
    await work(three, 20)
    expect({ sent: gateway.sent, told: three.types() }).toEqual({ sent: 1, told: [] })
  },
)
