import { expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { adoptMerchant } from '../../../server/store/merchant.ts'
import { openStore } from '../../../server/store/open.ts'
import { DAY, HOUR, SECOND } from '../../../server/transactions/schedule.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { createWorld } from '../../support/worlds/world.ts'

const AIRTIME = { reference: 'R-1', recipients: [{ phone_number: '254700000001', amount: '100' }] }
const ANOTHER = { GATEWAY_ACCOUNT_NUMBER: 'ACC-777' }

/** Returns a shop with the store of an earlier one, which had settled payments and an event that was not delivered. */
async function reconfigured(env: Record<string, string>) {
  const store = openStore('sqlite::memory:')
  let isUp = true
  const backend = () => new Response(null, { status: isUp ? 204 : 503 })
  const before = await createWorld({ store, backend })
  for (const order of ['A-1', 'A-2']) {
    before.order(order, '1500', { account: 'ACC-001' })
  }

  await before.pay(await before.start('A-1'), 'approve')
  await before.later(SECOND)
  await before.api('/charges', { ...CHARGE, external_reference: 'C-1' })
  await before.api('/airtime', AIRTIME)
  isUp = false
  const undelivered = await before.start('A-2')
  await before.pay(undelivered, 'approve')
  await before.later(SECOND)

  const shop = await createWorld({ store, env, seed: 9 })
  shop.order('A-1', '1500', { account: 'ACC-001' })
  const repeat = async () => [
    await shop.initiate('A-1'),
    await shop.api('/charges', { ...CHARGE, external_reference: 'C-1' }),
    await shop.api('/airtime', AIRTIME),
  ]
  const sent = () =>
    shop.gatewayRequests().filter((request) => /^POST (?!\/v1\/auth|.*acknowledge)/.test(request))
  const told = () => shop.delivered.map(({ data }) => data.order)
  return { shop, store, repeat, sent, told, callback: before.callbackPath(undelivered) }
}

test('a server with an account for a further currency goes on with the payments of its merchant', async () => {
  const env = { GATEWAY_ACCOUNT_NUMBER: 'UGX=ACC-001-UGX,KES=ACC-001' }
  const { shop, repeat, sent, told } = await reconfigured(env)
  const [checkout, ...others] = await repeat()
  expect(others.map(({ status }) => status)).toEqual([200, 200])
  expect(await checkout?.json()).toMatchObject({ outcome: 'paid' })
  await shop.later(DAY)
  expect(sent()).toEqual([])
  expect(told()).toContain('A-2')
})

test('a server of another merchant does nothing and says why, until the payments are adopted', async () => {
  const { shop, store, repeat, sent, told, callback } = await reconfigured(ANOTHER)
  const answers = [
    ...(await repeat()),
    await shop.api('/charges/C-1'),
    await shop.ask(callback, { method: 'POST', body: '{}' }),
    await shop.ask('/health/ready'),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  await shop.later(HOUR)
  expect({ gatewayRequests: shop.gatewayRequests(), told: told() }).toEqual({ gatewayRequests: [], told: [] })
  const reason =
    /sandbox .* account ACC-001 \(still queried: 4\), and GATEWAY_ACCOUNT_NUMBER is ACC-777\. .* run "gateway-checkout-server adopt"\./
  expect(shop.logged).toContainEqual({
    level: 'error',
    message: expect.stringContaining('workers'),
    facts: { err: expect.objectContaining({ message: expect.stringMatching(reason) }) },
  })

  await adoptMerchant(store, readConfig({ ...ENVIRONMENT, ...ANOTHER }))
  expect((await repeat()).map(({ status }) => status)).toEqual([200, 200, 200])
  await shop.later(DAY)
  expect(sent()).toEqual([])
  expect(told()).toContain('A-2')
})
