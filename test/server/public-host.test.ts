import { expect, test } from 'vitest'
import { createWorld, PAYER, SHOP } from '../support/world.ts'

const OTHER = 'Requests arrive under another host than that of PUBLIC_URL'

async function start(hosts: Record<string, string>[], order = 'A-1') {
  const shop = await createWorld({ env: { PUBLIC_URL: 'http://127.0.0.1:4020' } })
  shop.order('A-1')
  for (const host of hosts)
    await shop.ask('/checkout/initiate', {
      method: 'POST',
      headers: { accept: 'application/json', origin: SHOP, ...host },
      body: new URLSearchParams({ order, ...PAYER }),
    })
  return shop.logged.filter(({ message }) => message.startsWith(OTHER))
}

test('a start under another host than that of PUBLIC_URL is named once', async () => {
  expect(await start([{ host: 'pay.shop.example' }, { host: 'pay.shop.example' }])).toMatchObject([
    { level: 'warn', facts: { host: 'pay.shop.example', public_url: 'http://127.0.0.1:4020' } },
  ])
})

test('nothing is said of the right host, behind a proxy that names it, and of a request that is refused', async () => {
  const right = [
    { host: '127.0.0.1:4020' },
    { host: 'localhost:4020' },
    { host: '127.0.0.1' },
    { host: 'gateway_checkout', 'x-forwarded-host': '127.0.0.1:4020' },
  ]
  expect(await start(right)).toEqual([])
  expect(await start([{ host: 'pay.shop.example' }], 'NOBODY')).toEqual([])
})
