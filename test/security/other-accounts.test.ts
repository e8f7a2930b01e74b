import { expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { shopWithCheckout } from '../support/shop-with-order.ts'
import { API_KEY, ENVIRONMENT } from '../support/world.ts'

test('a server with the same store and another account knows nothing about a checkout that was paid in the sandbox', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  await shop.pay(begun, 'approve')
  await shop.later(60_000)
  expect((await shop.status(id)).outcome).toBe('paid')
  const other = shop.replica({
    config: readConfig({
      ...ENVIRONMENT,
      GATEWAY_ENVIRONMENT: 'production',
      GATEWAY_REHEARSAL: '1',
      GATEWAY_ACCOUNT_NUMBER: 'ACC-777',
      GATEWAY_CONSUMER_SECRET: 'another-secret-of-another-account',
      MERCHANT_WEBHOOK_URL: undefined,
      MERCHANT_WEBHOOK_SECRET: undefined,
    }),
  })
  const headers = { accept: 'application/json', authorization: `Bearer ${API_KEY}` }
  const paths = ['/api/checkouts/', '/api/history/', '/checkout/status/', '/checkout/return/']
  for (const path of [...paths.map((each) => each + id), `/checkout/status/${id}/stream`])
    expect([path, (await other.request(path, { headers })).status]).toEqual([path, 404])
  const body = new URLSearchParams({ order: 'A-1', checkout_id: id })
  expect((await other.request('/checkout/resume', { method: 'POST', headers, body })).status).toBe(404)
})
