import type { TrackedAirtime } from '../../server/api/airtime.ts'
import type { WorldOptions } from './world.ts'
import { createApiWorld } from './api-world.ts'
import { tokenOf } from './sandbox-line.ts'
import { AIRTIME, airtime } from './spec-airtime.ts'

// The last digits of the phone number may select a sandbox scenario.
export const to = (digits: string, amount = '100') => ({ phone_number: `25470000${digits}`, amount })

export async function openAirtimeShop(options: WorldOptions = {}) {
  const shop = await createApiWorld(options)
  return {
    ...shop,
    async buy(recipients: object[] = airtime.recipients, reference = 'A-1'): Promise<TrackedAirtime> {
      const { status, body } = await shop.post('/airtime', { reference, recipients })
      if (status > 201) throw new Error(JSON.stringify(body))
      return body
    },
    async airtime(reference = 'A-1'): Promise<TrackedAirtime> {
      return (await shop.get(`/airtime/${reference}`)).body
    },
    async sentElsewhere(recipients: object[], reference = 'A-1'): Promise<void> {
      const body = JSON.stringify({ reference, recipients })
      const headers = { 'content-type': 'application/json', 'x-access-token': await tokenOf(shop.sandbox) }
      await shop.sandbox.app.request(AIRTIME, { method: 'POST', headers, body })
    },
    sends: () => shop.gatewayRequests().filter((request) => request === `POST ${AIRTIME}`),
    asks: () => shop.gatewayRequests().filter((request) => /^GET .*airtime/.test(request)),
  }
}
