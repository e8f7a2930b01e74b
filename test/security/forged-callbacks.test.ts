import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { createCallbackTokens } from '../../server/callbacks/token.ts'
import { Secret } from '../../server/config/secret.ts'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'

const ATTACKER = '203.0.113.7'
const CALLBACK_SECRET = 'Zq7-vN2x_kT9w.bL4m3RfY8s-callback'
const CREDENTIALS = 'gateway:k7-Tq2vN9x_w.bL4m3RfY8s'

const forge = (client: Client, turn: number, headers: Record<string, string> = {}) =>
  client.ask(`/callbacks/checkout/A-${turn}.${'A'.repeat(22)}`, { method: 'POST', body: '{}', headers })

function genuinePath(reference: string): string {
  const tokens = createCallbackTokens('checkout', [new Secret(CALLBACK_SECRET)])
  return `/callbacks/checkout/${tokens.create(reference)}`
}

async function startedShop(env: Record<string, string> = {}) {
  const shop = createLimitedShop({ CALLBACK_SECRET, ...env })
  const { merchant_transaction_id } = await (await clientOf(shop.app, ATTACKER).initiate('A-1')).json()
  return { ...shop, client: clientOf(shop.app, ATTACKER), path: genuinePath(merchant_transaction_id) }
}

describe('an address that forges 500 callbacks', () => {
  test('gets 30 answers a minute, then refusals with the time to wait, and the log has one warning', async () => {
    const { client, clock, logged } = await startedShop()
    const answers = await repeat(500, (turn) => forge(client, turn))
    expect(countByStatus(answers)).toEqual({ 404: 30, 429: 470 })
    expect(Object.fromEntries(answers.at(-1)!.headers)).toMatchObject({
      'retry-after': '60',
      ratelimit: '"callbacks";r=0;t=60',
      'ratelimit-policy': '"callbacks";q=30;w=60',
    })
    const warnings = logged.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ facts }) => facts)).toEqual([{ limit: 'callbacks', network: '203.0.113.0/24' }])
    await clock.advance(60_000)
    expect((await forge(client, 500)).status).toBe(404)
  })

  test('does not keep out a genuine callback, from whatever address', async () => {
    const { client, path } = await startedShop()
    await repeat(500, (turn) => forge(client, turn))
    expect((await client.ask(path, { method: 'POST', body: '{}' })).status).toBe(200)
  })

  test('with wrong credentials is refused, and its right guess shows nothing without a genuine address', async () => {
    const { client, path } = await startedShop({ CALLBACK_BASIC_AUTH: CREDENTIALS })
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
    const answers = await repeat(100, (turn) => forge(client, turn, basic(`gateway:${turn}`)))
    expect(countByStatus(answers)).toEqual({ 401: 30, 429: 70 })
    expect((await forge(client, 100, basic(CREDENTIALS))).status).toBe(429)
    const genuine = await client.ask(path, { method: 'POST', body: '{}', headers: basic(CREDENTIALS) })
    expect(genuine.status).toBe(200)
  })
})

test('callbacks about transactions that were pruned are not counted', async () => {
  const { client } = await startedShop()
  const answers = await repeat(100, (turn) =>
    client.ask(genuinePath(`pruned-${turn}`), { method: 'POST', body: '{}' }),
  )
  expect(countByStatus(answers)).toEqual({ 404: 100 })
})
