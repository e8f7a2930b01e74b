import { expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { createLimiter } from '../../server/limits/limiter.ts'
import { createClientNetwork } from '../../server/limits/network.ts'
import { silentLog } from '../../server/log/log.ts'
import { systemClock } from '../../server/work/clock.ts'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { LEAST } from '../support/least-config.ts'
import { createLimitedShop } from '../support/limited-shop.ts'

const ATTACKER = '203.0.113.7'
const OTHER = '198.51.100.4'
const PROXY = '10.1.2.3'
const PROXIES = '10.0.0.0/8,2001:db8:ffff::/48'

const socket = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })
const handedOn = (address: string) => ({ address })
const by = (xForwardedFor: string) => ({ 'x-forwarded-for': xForwardedFor })

/** Returns the function that finds the network of a client, for a value of TRUSTED_PROXIES. */
function networks(TRUSTED_PROXIES: string) {
  const warned: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) }
  const find = createClientNetwork(readConfig({ ...LEAST, TRUSTED_PROXIES }).trustedProxies, log)
  const networkOf = (env: unknown, headers: Record<string, string> = {}) =>
    find({ env, req: { header: (name) => headers[name] } })
  return { networkOf, warned }
}

// Guesses are counted per network: see `guesses`.
test.each<[proxies: string, env: object, headers: Record<string, string>, network: string]>([
  ['', socket(ATTACKER), {}, ATTACKER],
  // However the socket writes it.
  ['', socket(`::ffff:${ATTACKER}`), {}, ATTACKER],
  // All addresses of an IPv6 /64 count as one.
  ['', socket('2001:db8:1:2::7'), {}, '2001:db8:1:2::/64'],
  ['', socket('2001:db8:1:2:ffff::1'), {}, '2001:db8:1:2::/64'],
  // Of TRUSTED_PROXIES, the client is the last address that is not one of them.
  [PROXIES, socket(PROXY), by(ATTACKER), ATTACKER],
  [PROXIES, socket(PROXY), by(`${ATTACKER}:4711, 10.9.9.9`), ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `for=${ATTACKER};proto=https` }, ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `proto=https;for="${ATTACKER}:1"` }, ATTACKER],
  [PROXIES, socket('2001:db8:ffff::1'), { forwarded: 'for="[2001:db8::1]:4711"' }, '2001:db8:0:0::/64'],
  // A client cannot write its own address.
  [PROXY, socket(PROXY), { ...by(`${OTHER}, ${ATTACKER}`), forwarded: `for=${OTHER}` }, ATTACKER],
  ['none', socket(ATTACKER), by(OTHER), ATTACKER],
  // Where a framework hands on the client's address, or that of a trusted proxy.
  ['', handedOn(ATTACKER), by(OTHER), ATTACKER],
  [PROXIES, handedOn(PROXY), by(ATTACKER), ATTACKER],
])('behind TRUSTED_PROXIES=%s, a request of %j with %j is of %s', (proxies, env, headers, network) => {
  const { networkOf, warned } = networks(proxies)
  expect([networkOf(env, headers), warned]).toEqual([network, []])
})

test.each<[string, requests: [env: unknown, headers?: Record<string, string>][], warning: string]>([
  ['behind a proxy that is not trusted', [[socket(PROXY), by(ATTACKER)]], 'TRUSTED_PROXIES'],
  [
    'where nobody hands on an address',
    [[undefined], [handedOn('')], [handedOn('unknown')]],
    'fetch(request, { address })',
  ],
])('%s, the client is unknown, and the log says so once', (_, requests, warning) => {
  const { networkOf, warned } = networks('')
  for (const [env, headers] of [...requests, ...requests]) expect(networkOf(env, headers)).toBeNull()
  expect(warned).toEqual([expect.stringContaining(warning)])
})

test('no limit per address applies to clients that are unknown', async () => {
  const { app } = createLimitedShop()
  const headers = { authorization: 'Bearer wrong' }
  const answers = await repeat(50, async () => app.request('/api/payouts', { headers }))
  expect(countByStatus(answers)).toEqual({ 401: 50 })
})

test('requests without a key, which another website can cause, do not lock out the merchant', async () => {
  const { app } = createLimitedShop()
  const merchant = clientOf(app, OTHER)
  const answers = await Promise.all(Array.from({ length: 100 }, () => merchant.api('')))
  expect(countByStatus(answers)).toEqual({ 401: 100 })
  expect((await merchant.api()).status).toBe(200)
})

test('20,001 networks with wrong keys do not end the refusal of an address that guessed orders', () => {
  const { take } = createLimiter({ clock: systemClock, log: silentLog, metrics: undefined })
  for (let order = 0; order < 30; order++) expect(take('orders', ATTACKER)).toBeNull()
  for (let network = 0; network < 20_001; network++) take('api_keys', `2001:db8:1:${network}::/64`)
  expect(take('orders', ATTACKER)).toMatchObject({ code: 'too_many_requests' })
})
