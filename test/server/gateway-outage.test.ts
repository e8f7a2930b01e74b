import { describe, expect, test } from 'vitest'
import type { Store } from '../../server/store/store.ts'
import type { World, WorldOptions } from '../support/world.ts'
import { openStore } from '../../server/store/open.ts'
import { CHARGE } from '../support/chargeable.ts'
import { RELIABLE, DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

async function paidWhileAway(count: number, goAway: (shop: World) => unknown) {
  const shop = await createWorld()
  shop.network.reliability.callbacks = DOWN
  const started = []
  for (let order = 1; order <= count; order++) {
    shop.order(`A-${order}`)
    started.push(await shop.start(`A-${order}`))
  }
  await goAway(shop)
  for (const { merchant_transaction_id: id } of started)
    await shop.control(`/checkouts/${id}/pay`, { scenario: 'approve' })
  return { shop, started }
}

async function countBySecond(shop: World, seconds: number): Promise<number[]> {
  const counts: number[] = []
  for (let second = 0; second < seconds; second++) {
    const before = shop.gatewayRequests().length
    await shop.later(SECOND)
    counts.push(shop.gatewayRequests().length - before)
  }
  return counts
}

const refuse = (shop: World) =>
  shop.control('/faults', { route: '*', fault: 'status', status: 503, probability: 1, seed: 1 })

/** Refuses the access token, and issues no other. */
const refuseTokens = async (shop: World) => {
  await shop.control('/faults', { route: '/v1/auth', fault: 'status', status: 503, probability: 1, seed: 1 })
  await shop.control('/faults', { route: '*', fault: 'token_expired', next: 20 })
}

const goSilent = (shop: World) => {
  shop.network.reliability.gateway = DOWN
}

const MANY = process.env.FULL ? 1_000 : 100
const WAITING = process.env.FULL ? 400 : 100

const DEAD = {
  refuses: () => new Response('', { status: 503 }),
  hangs: () => new Promise<Response>(() => {}),
}
const AIRTIME_STATUS = /airtime.*status/
interface DeadEndpoint extends WorldOptions {
  dead?: RegExp
  how?: keyof typeof DEAD
  away?: number
}

/** Creates a shop whose airtime has been sent. From then on, the gateway does not answer requests to URLs like `dead`. */
async function openWithAirtime(
  count: number,
  { dead = AIRTIME_STATUS, how = 'refuses', away = 30 * MINUTE, ...options }: DeadEndpoint = {},
) {
  let isDead = false
  const gateway = (url: string) => (isDead && dead.test(url) ? DEAD[how]() : undefined)
  const shop = await createWorld({ ...options, gateway })
  for (let index = 0; index < count; index++) await buyAirtime(shop, `T-${index}`)
  isDead = true
  await shop.later(away)
  return { shop, comeBack: () => void (isDead = false) }
}

async function buyAirtime(shop: World, reference: string, phone_number = '254700000003'): Promise<void> {
  const recipients = [{ phone_number, amount: '100' }]
  expect((await shop.api('/airtime', { reference, recipients })).status).toBe(201)
}

async function secondsUntil(shop: World, isSeen: () => boolean | Promise<boolean>): Promise<number> {
  for (let seconds = 0; seconds < 7_200; seconds += 2) {
    if (await isSeen()) return seconds
    await shop.later(2 * SECOND)
  }
  return Infinity
}

describe('after an outage of the gateway', { timeout: 60_000 }, () => {
  test.each([
    ['', refuse],
    ["'s access tokens", refuseTokens],
  ] as const)(
    '%s of three minutes, all that waits is confirmed in 30 seconds, at most 50 queries in each',
    async (_, goAway) => {
      const { shop } = await paidWhileAway(MANY, goAway)
      const during = await countBySecond(shop, 180)
      expect(Math.max(...during)).toBeLessThanOrEqual(50)
      // Once the server treats the gateway as down, one query is sent every four seconds.
      expect(during.slice(60).reduce((sum, each) => sum + each)).toBeLessThanOrEqual(35)
      expect(shop.types()).toEqual([])
      await shop.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
      const after = await countBySecond(shop, 30)
      expect(shop.types()).toHaveLength(MANY)
      expect(Math.max(...after)).toBeLessThanOrEqual(50)
    },
  )
})

describe('while the gateway is away', () => {
  test('a checkout can still be started at the moment of its return', async () => {
    const { shop } = await paidWhileAway(20, goSilent)
    await shop.later(10 * MINUTE)
    shop.order('B-1')
    expect((await shop.initiate('B-1')).status).toBe(503)
    shop.network.reliability.gateway = RELIABLE
    expect(await shop.start('B-1')).toMatchObject({ outcome: 'waiting' })
  })

  test('it is logged once, and once more after half an hour', async () => {
    const { shop } = await paidWhileAway(20, goSilent)
    await shop.later(HOUR)
    shop.network.reliability.gateway = RELIABLE
    await shop.later(MINUTE)
    const said = shop.logged.filter(({ message }) => message.startsWith('The gateway '))
    expect(said.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'The gateway does not respond. Status queries pause until a probe succeeds.'],
      ['error', 'The gateway has not responded for half an hour: a person should look.'],
      ['warn', 'The gateway responds again.'],
    ])
  })
})

describe('while only the status of airtime is away', { timeout: 60_000 }, () => {
  test.each([
    ['refuses', WAITING, 'a callback', 2],
    ['refuses', 100, 'a page', 10],
    ['hangs', WAITING, 'the due query', 20],
  ] as const)(
    'it %s, %i requests wait: another payment is known as ever, by %s',
    async (how, waiting, by, most) => {
      const { shop } = await openWithAirtime(waiting, { how })
      shop.network.reliability.callbacks = by === 'a callback' ? RELIABLE : DOWN
      shop.order('A-1')
      const view = await shop.start('A-1')
      await shop.later(2 * MINUTE)
      await shop.pay(view, 'approve')
      const isTold = () => shop.types().includes('checkout.paid')
      const isShown = async () => (await shop.status(view.checkout_id)).outcome === 'paid'
      expect(await secondsUntil(shop, by === 'a page' ? isShown : isTold)).toBeLessThanOrEqual(most)
    },
  )

  test.each(['the callback', 'the API'] as const)(
    'many requests wait, and one that is answered is told at once, asked for by %s',
    async (by) => {
      const { shop } = await openWithAirtime(WAITING, { dead: /airtime.T-.*status/, away: 5 * MINUTE })
      shop.network.reliability.callbacks = by === 'the callback' ? RELIABLE : DOWN
      // It is delivered after 45 seconds.
      await buyAirtime(shop, 'NEW', '254700009007')
      await shop.later(45 * SECOND)
      const isTold = async () => {
        if (by === 'the API') await shop.api('/airtime/NEW')
        return shop.types().length > 0
      }
      expect(await secondsUntil(shop, isTold)).toBeLessThanOrEqual(20)
    },
  )

  test('one request is sent every four seconds, and each transaction is claimed every five minutes', async () => {
    const store = openStore('sqlite::memory:')
    let commits = 0
    const commit: Store['commit'] = (...change) => {
      commits += 1
      return store.commit(...change)
    }
    const { shop } = await openWithAirtime(WAITING, { store: { ...store, commit } })
    const sent = shop.gatewayRequests().length
    commits = 0
    await shop.later(20 * MINUTE)
    expect(shop.gatewayRequests().slice(sent).length).toBeLessThanOrEqual(300)
    expect(commits).toBeLessThanOrEqual(WAITING * 4 + 300)
  })
})

test('while the gateway is away, each family is probed by itself, and the alarm names each', async () => {
  const shop = await createWorld()
  shop.network.reliability.callbacks = DOWN
  for (let index = 0; index < 25; index++) {
    await buyAirtime(shop, `T-${index}`)
    await shop.payOut('local', { payout_reference: `P-${index}` })
    await shop.api('/charges', { ...CHARGE, external_reference: `C-${index}` })
    shop.order(`A-${index}`)
    await shop.pay(await shop.start(`A-${index}`), 'approve')
  }
  goSilent(shop)
  await shop.later(MINUTE)
  const counts = await countBySecond(shop, 120)
  expect(counts.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(4 * 35)
  await shop.later(HOUR)
  const alarms = shop.logged.filter(({ level }) => level === 'error').map(({ facts }) => facts)
  expect(new Set(alarms.map((facts) => 'family' in facts && facts.family))).toEqual(
    new Set(['airtime', 'charge', 'checkout', 'payout']),
  )
  expect(alarms).toHaveLength(4)
  shop.network.reliability.gateway = RELIABLE
  expect(await secondsUntil(shop, () => shop.types().length === 100)).toBeLessThanOrEqual(30)
})
