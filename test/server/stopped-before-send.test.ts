import { expect, test } from 'vitest'

import { openStore } from '../../server/store/open.ts'
import { MINUTE, SECOND } from '../../server/transactions/schedule.ts'
import { AIRTIME, airtime } from '../support/spec/airtime.ts'
import { createChargeWorld } from '../support/worlds/charge-world.ts'

const PATHS = {
  charge: '/v1/charges',
  payout: '/v1/payouts/initiate',
  airtime: AIRTIME,
  prompt: '/v1/charges',
} as const

test.each(Object.entries(PATHS))(
  'a %s is not sent by a process that stopped for a minute after it had stored that it sends it, and counts as unsent',
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

    await shop.later(20 * SECOND)
    const [row] = await shop.rows()
    const requests = shop.gatewayRequests()
    // Nothing has left. A worker asks about charges and airtime, and sends them anew. A payout waits, and a prompt is for its payer to ask.
    if (kind === 'charge' || kind === 'airtime') {
      expect(row?.sent_at).toBeGreaterThanOrEqual(row!.created_at + MINUTE)
      expect(requests.filter((request) => request === `POST ${path}`)).toHaveLength(1)
      expect(requests.findIndex((request) => request.endsWith('/status'))).toBeLessThan(
        requests.indexOf(`POST ${path}`),
      )
    } else {
      expect(row).toMatchObject({ sent_at: null })
      expect(requests).not.toContain(`POST ${path}`)
    }
  },
)
