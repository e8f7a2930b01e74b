import { expect, test } from 'vitest'

import { openStore } from '../../server/store/open.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { AIRTIME, airtime } from '../support/spec-airtime.ts'

const PATHS = {
  charge: '/v1/charges',
  payout: '/v1/payouts/initiate',
  airtime: AIRTIME,
  prompt: '/v1/charges',
} as const

test.each(Object.entries(PATHS))(
  'a %s is not sent by a process that stopped for a minute after it had stored that it sends it',
  async (kind, path) => {
    const stored = openStore('sqlite::memory:')
    let isSlow = false
    const shop = await createChargeWorld({
      env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' },
      store: {
        ...stored,
        async insert(...rows) {
          const isInserted = await stored.insert(...rows)
          if (isSlow) {
            shop.bffClock.aheadMs += 60_000
          }
          return isInserted
        },
      },
    })
    shop.order('A-1')
    // With a token, the request is stored as sent at once.
    await shop.api('/accounts/ACC-001/balance')
    isSlow = true
    if (kind === 'payout') {
      await shop.payOut('local')
    } else if (kind === 'prompt') {
      await shop.initiate('A-1', { method: 'prompt' })
    } else if (kind === 'airtime') {
      await shop.api('/airtime', airtime)
    } else {
      await shop.charge()
    }
    expect(await shop.rows()).toHaveLength(1)
    expect(shop.gatewayRequests()).not.toContain(`POST ${path}`)
  },
)
