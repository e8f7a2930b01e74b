import { expect, test as base } from 'vitest'

import { ConfigError } from '../../server/index.ts'
import { fixtures, startServer } from '../../server/testing.ts'
import { freePort } from '../support/free-port.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { PAYER } from '../support/worlds/world.ts'

const PATIENCE = { timeout: 20_000, interval: 20 }
const test = base.extend(fixtures)

async function post(url: string, body: object, headers = {}) {
  const answer = await fetch(url, posted(body, { accept: 'application/json', ...headers }))
  expect(answer.ok).toBe(true)
  return answer.json()
}

test('a test is lent a sandbox and a server, and any order is paid there', async ({ sandbox, server }) => {
  const { checkout_id, merchant_transaction_id } = await post(`${server.url}/checkout/initiate`, {
    order: 'A-1',
    ...PAYER,
  })
  await post(`${sandbox.url}/_sandbox/checkouts/${merchant_transaction_id}/pay`, { scenario: 'approve' })
  const view = async () => (await fetch(`${server.url}/checkout/status/${checkout_id}`)).json()
  await expect.poll(view, PATIENCE).toMatchObject({ outcome: 'paid', amount_paid: '1500', currency: 'KES' })
})

const lent: string[] = []
for (const count of [0, 1]) {
  test(`after ${count} tests, their sandboxes and servers have ended`, async ({ sandbox, server }) => {
    expect(lent).toHaveLength(2 * count)
    for (const url of lent) {
      await expect(fetch(url)).rejects.toThrow('fetch failed')
    }

    for (const { url } of [sandbox, server]) {
      expect((await fetch(url)).status).toBeLessThan(500)
    }

    lent.push(sandbox.url, server.url)
  })
}

test('a test that fails leaves no sandbox', async () => {
  let url = ''
  const failing = fixtures.sandbox({}, (sandbox) => {
    url = sandbox.url
    return Promise.reject(new Error('The test failed.'))
  })
  await expect(failing).rejects.toThrow('The test failed.')
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('orders and events are those of the merchant, and time is that of the sandbox', async ({ sandbox }) => {
  const told: string[] = []
  const server = await startServer(sandbox, {
    orders: (order) => (order === 'B-1' ? { order, amount: 250, currency: 'KES', narration: 'Tea' } : null),
    onEvent: ({ type, data }) => void told.push(`${type} ${JSON.stringify(data.amount)}`),
    env: { CHECKOUT_EXPIRES_MINUTES: '5' },
  })
  const begun = await post(`${server.url}/checkout/initiate`, { order: 'B-1', ...PAYER })
  expect(begun.amount).toBe('250')
  await expect(post(`${server.url}/checkout/initiate`, { order: 'B-2', ...PAYER })).rejects.toThrow()
  await post(`${sandbox.url}/_sandbox/clock/advance`, { seconds: 600 })
  await expect.poll(() => told, PATIENCE).toEqual(['checkout.expired "250"'])
  const { server_time } = await (await fetch(`${server.url}/checkout/status/${begun.checkout_id}`)).json()
  expect(Date.parse(server_time) - Date.parse(begun.server_time)).toBeGreaterThanOrEqual(600_000)
  await server.close()
})

test('the callbacks of charges and airtime have an address, also after a reset', async ({
  sandbox,
  server,
}) => {
  const portal = async () => (await fetch(`${sandbox.url}/_sandbox/portal`)).json()
  const addresses = await portal()
  for (const name of ['charge_callback_url', 'airtime_callback_url']) {
    expect(addresses[name]).toMatch(new RegExp(`^${server.url}/callbacks/`))
  }

  await post(`${sandbox.url}/_sandbox/reset`, {})
  expect(await portal()).toEqual(addresses)
})

test('a configuration that is wrong leaves no port open', async ({ sandbox }) => {
  const port = await freePort()
  const env = { CHECKOUT_EXPIRES_MINUTES: 'soon' }
  await expect(startServer(sandbox, { port, env })).rejects.toThrow(ConfigError)
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
})
