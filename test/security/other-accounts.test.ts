import { expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { openStore } from '../../server/store/open.ts'
import { API_KEY, createWorld, ENVIRONMENT } from '../support/world.ts'

const headers = { accept: 'application/json', authorization: `Bearer ${API_KEY}` }
const json = { ...headers, 'content-type': 'application/json' }

test('a server with the same store and another account knows nothing about a checkout that was paid in the sandbox', async () => {
  const store = openStore('sqlite::memory:')
  const world = await createWorld({ store })
  world.order('A-1')
  const begun = await world.start('A-1')
  const { checkout_id: id } = begun
  await world.pay(begun, 'approve')
  await world.later(60_000)
  expect((await world.status(id)).outcome).toBe('paid')

  const config = readConfig({
    ...ENVIRONMENT,
    GATEWAY_ENVIRONMENT: 'production',
    GATEWAY_REHEARSAL: '1',
    GATEWAY_ACCOUNT_NUMBER: 'ACC-777',
    GATEWAY_CONSUMER_SECRET: 'another-secret-of-another-account',
    MERCHANT_WEBHOOK_URL: undefined,
    MERCHANT_WEBHOOK_SECRET: undefined,
  })
  const nowhere = () => Promise.reject(new TypeError('fetch failed'))
  const other = createApp({ config, store, orders: () => null, fetch: nowhere })
  const answers = await Promise.all([
    other.request(`/api/checkouts/${id}`, { headers }),
    other.request(`/api/history/${id}`, { headers }),
    other.request(`/checkout/status/${id}`, { headers }),
    other.request(`/checkout/status/${id}/stream`, { headers }),
    other.request(`/checkout/return/${id}`, { headers }),
    other.request('/checkout/resume', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ order: 'A-1', checkout_id: id }),
    }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
})
