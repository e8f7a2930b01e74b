import { describe, expect, test } from 'vitest'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import type { App } from '../../server/app.ts'
import type { Client } from '../support/client.ts'
import { systemClock } from '../../server/work/clock.ts'
import { createLimiter } from '../../server/limits/limiter.ts'
import { silentLog } from '../../server/log/log.ts'
import { noMetrics } from '../../server/metrics/metrics.ts'
import { BFF } from '../support/world.ts'

const ATTACKER = '203.0.113.7'
const MERCHANT = '198.51.100.4'

test('requests without a key, which another website can cause, do not lock out the merchant', async () => {
  const { app } = createLimitedShop()
  const merchant = clientOf(app, MERCHANT)
  const answers = await Promise.all(Array.from({ length: 100 }, () => merchant.api('')))
  expect(countByStatus(answers)).toEqual({ 401: 100 })
  expect((await merchant.api()).status).toBe(200)
})

test('all addresses of an IPv6 /64 count as one, and another /64 does not', async () => {
  const { app } = createLimitedShop()
  for (let host = 0; host < 20; host++) await clientOf(app, `2001:db8:1:2::${host}`).api('wrong')
  expect((await clientOf(app, '2001:db8:1:2:ffff::1').api('wrong')).status).toBe(429)
  expect((await clientOf(app, '2001:db8:1:3::1').api('wrong')).status).toBe(401)
})

test('an IPv4 address counts as one, however the socket writes it', async () => {
  const { app } = createLimitedShop()
  await tryKeys(clientOf(app, `::ffff:${ATTACKER}`))
  expect((await clientOf(app, ATTACKER).api('wrong')).status).toBe(429)
})

describe('behind a proxy', () => {
  const PROXY = '10.1.2.3'
  const forwarded = (header: string, value: string) => ({ [header]: value })

  test.each([
    ['x-forwarded-for', ATTACKER, MERCHANT],
    ['x-forwarded-for', `${ATTACKER}:4711, 10.9.9.9`, `${MERCHANT}:80, 10.9.9.9`],
    ['x-forwarded-for', `${MERCHANT}, ${ATTACKER}`, `${ATTACKER}, ${MERCHANT}`],
    ['forwarded', `for=${ATTACKER};proto=https`, `proto=https;for="${MERCHANT}:1"`],
    ['forwarded', 'for="[2001:db8::1]:4711"', 'for="[2001:db8:1::1]:4711"'],
  ])('of TRUSTED_PROXIES, the client is the last address in %s: %s', async (header, attacker, merchant) => {
    const { app } = createLimitedShop({ TRUSTED_PROXIES: '10.0.0.0/8,2001:db8:ffff::/48' })
    await tryKeys(clientOf(app, PROXY, forwarded(header, attacker)))
    expect((await clientOf(app, PROXY, forwarded(header, attacker)).api('wrong')).status).toBe(429)
    expect((await clientOf(app, PROXY, forwarded(header, merchant)).api('wrong')).status).toBe(401)
  })

  test('a client cannot write its own address', async () => {
    const { app } = createLimitedShop({ TRUSTED_PROXIES: PROXY })
    const lying = (index: number) => ({
      'x-forwarded-for': `192.0.2.${index}, ${ATTACKER}`,
      forwarded: `for=192.0.2.${index}`,
    })
    const answers = await repeat(100, (index) => clientOf(app, PROXY, lying(index)).api('wrong'))
    expect(countByStatus(answers)).toEqual({ 401: 20, 429: 80 })
  })

  test('that is not trusted, no limit per address applies, and the log says so once', async () => {
    const { app, logged } = createLimitedShop()
    const answers = await tryKeys(clientOf(app, PROXY, { 'x-forwarded-for': ATTACKER }))
    expect(countByStatus(answers)).toEqual({ 401: 30 })
    const warnings = logged.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('TRUSTED_PROXIES')])
  })

  test('that does not exist (TRUSTED_PROXIES=none), the headers of a client do not count', async () => {
    const { app } = createLimitedShop({ TRUSTED_PROXIES: 'none' })
    const answers = await tryKeys(clientOf(app, ATTACKER, { 'x-forwarded-for': MERCHANT }))
    expect(countByStatus(answers)).toEqual({ 401: 20, 429: 10 })
  })
})

describe("where a framework hands on the client's address", () => {
  const from = (app: App, address?: string, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`${BFF}/api/payouts`, { headers: { authorization: 'Bearer wrong', ...headers } }),
      address === undefined ? undefined : { address },
    )

  test('as an option, its failures count, whatever headers it sends', async () => {
    const { app, logged } = createLimitedShop()
    const headers = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index}` })
    const answers = await repeat(50, async (index) => from(app, ATTACKER, headers(index)))
    expect(countByStatus(answers)).toEqual({ 401: 20, 429: 30 })
    expect((await from(app, MERCHANT)).status).toBe(401)
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('and it is that of a trusted proxy, the client is the one that the proxy names', async () => {
    const { app } = createLimitedShop({ TRUSTED_PROXIES: '10.0.0.0/8' })
    const behind = (client: string) => from(app, '10.1.2.3', { 'x-forwarded-for': client })
    expect(countByStatus(await repeat(50, async () => behind(ATTACKER)))).toEqual({ 401: 20, 429: 30 })
    expect((await behind(MERCHANT)).status).toBe(401)
  })

  test('nowhere, no limit per address applies, and the log says so once', async () => {
    const { app, logged } = createLimitedShop()
    for (const address of [undefined, '', 'unknown'])
      expect(countByStatus(await repeat(50, async () => from(app, address)))).toEqual({ 401: 50 })
    const warnings = logged.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('fetch(request, { address })'),
    ])
  })
})

function tryKeys(client: Client): Promise<Response[]> {
  return repeat(30, (index) => client.api(`a wrong key, number ${index}`))
}

test('20,001 networks with wrong keys do not end the refusal of an address that guessed orders', () => {
  const { take } = createLimiter({ clock: systemClock, log: silentLog, metrics: noMetrics })
  for (let order = 0; order < 30; order++) expect(take('orders', ATTACKER)).toBeNull()
  for (let network = 0; network < 20_001; network++) take('api_keys', `2001:db8:1:${network}::/64`)
  expect(take('orders', ATTACKER)).toMatchObject({ code: 'too_many_requests' })
})
