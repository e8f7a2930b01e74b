import { describe, expect, test } from 'vitest'

import { NotConnectedError } from '../../../server/http/exchange.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../server/transactions/schedule.ts'
import { airtime } from '../../support/spec/airtime.ts'
import { createChargeWorld } from '../../support/worlds/charge-world.ts'
import { RELIABLE, DOWN } from '../../support/worlds/network.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { World } from '../../support/worlds/world.ts'

async function paidWhileAway(count: number, goAway: (shop: World) => unknown) {
  const shop = await createWorld()
  shop.network.reliability.callbacks = DOWN
  const started = []
  for (let order = 1; order <= count; order++) {
    shop.order(`A-${order}`)
    started.push(await shop.start(`A-${order}`))
  }

  await goAway(shop)
  for (const { merchant_transaction_id: id } of started) {
    await shop.control(`/checkouts/${id}/pay`, { scenario: 'approve' })
  }

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

const MANY = process.env.FULL ? 1_000 : 60

describe('after an outage of the gateway', { timeout: 60_000 }, () => {
  test.each([
    ['', refuse],
    ["'s access tokens", refuseTokens],
  ] as const)(
    'after an outage of the gateway%s of three minutes, all is confirmed in 30 seconds, at most 50 queries in each',
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

test('while the gateway is away it is logged once, and once more after half an hour', async () => {
  const { shop } = await paidWhileAway(20, goSilent)
  await shop.later(HOUR)
  shop.network.reliability.gateway = RELIABLE
  await shop.later(MINUTE)
  const said = shop.logged.filter(({ message }) => message.startsWith('The gateway '))
  for (const { facts } of said) {
    expect(facts).toMatchObject({ family: 'checkout' })
  }

  expect(said.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'The gateway does not respond. Status queries pause until a probe succeeds.'],
    ['error', 'The gateway has not responded for half an hour: a person should look.'],
    ['warn', 'The gateway responds again.'],
  ])
})

test.each([
  ['seconds', () => '30', 30],
  ['a date', (now: number) => new Date(now + 30 * SECOND).toUTCString(), 30],
  ['more than a minute, which is the most', () => '86400', 60],
])(
  'a gateway that asks to wait, by %s, is not queried until then, and starts go on',
  async (_, retryAfter, seconds) => {
    const queriedAt: number[] = []
    let isLimited = false
    const shop = await createWorld({
      gateway(url) {
        if (!url.includes('/status')) {
          return undefined
        }

        queriedAt.push(shop.timeline.now())
        const headers = { 'retry-after': retryAfter(shop.timeline.now()) }
        return isLimited ? Response.json({ message: 'Too many' }, { status: 429, headers }) : undefined
      },
    })
    for (const order of ['A-1', 'A-2', 'A-3']) {
      shop.order(order)
    }

    const started = [await shop.start('A-1'), await shop.start('A-2')]
    isLimited = true
    const before = queriedAt.length
    await shop.status(started[0]!.checkout_id)
    while (queriedAt.length === before) {
      await shop.later(SECOND)
    }

    const [limitedAt = 0] = queriedAt.slice(before)
    isLimited = false
    for (const { merchant_transaction_id: id } of started) {
      await shop.control(`/checkouts/${id}/pay`, { scenario: 'approve' })
    }

    expect(await shop.start('A-3')).toMatchObject({ outcome: 'waiting' })
    await shop.later(limitedAt + seconds * SECOND - 500 - shop.timeline.now())
    // The queries that were in flight together.
    expect(new Set(queriedAt.slice(before))).toEqual(new Set([limitedAt]))
    expect(shop.types()).toEqual([])
    await shop.later(10 * SECOND)
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.paid'])
    const said = shop.logged.filter(({ message }) => message.startsWith('The gateway '))
    expect(said.map(({ facts, message }) => [message, Object(facts).seconds])).toEqual([
      ['The gateway asks to wait. Status queries pause.', seconds],
      ['The gateway responds again.', expect.any(Number)],
    ])
  },
)

describe('what certainly did not reach the gateway', () => {
  const METHODS = { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' }
  const unreachable = (code: string) => () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  }
  const uncertified = () => {
    throw new NotConnectedError('certificate has expired')
  }
  const limited = () =>
    Response.json({ message: 'Too many' }, { status: 429, headers: { 'retry-after': '5' } })
  const rejected = (url: string) =>
    url.endsWith('/auth')
      ? new Response(null, { status: 503 })
      : Response.json({ statusCode: 401, message: 'Unauthorized' }, { status: 401 })
  const PROOFS = [
    ['nothing listened', unreachable('ECONNREFUSED')],
    ['no connection was made', uncertified],
    ['it asked for less', limited],
    ['it refused the token, and issued no other', rejected],
  ] as const

  /** Opens a shop whose server has a token, at a gateway that is away. */
  async function openAway(answer: (url: string) => Response) {
    const gateway = { isAway: false, answer }
    const shop = await createChargeWorld({
      env: METHODS,
      gateway: (url) => (gateway.isAway ? gateway.answer(url) : undefined),
    })
    await shop.api('/accounts/ACC-001/balance')
    gateway.isAway = true
    return { ...shop, gateway, sentAt: async () => (await shop.rows()).map(({ sent_at }) => sent_at) }
  }

  test.each(PROOFS)(
    'a prompt that did not reach the gateway because %s is not of unknown fate: its order can be paid',
    async (_, answer) => {
      const shop = await openAway(answer)
      shop.order('A-1')
      expect((await shop.initiate('A-1', { method: 'prompt' })).status).toBe(503)
      expect(await shop.sentAt()).toEqual([null])
      await shop.later(MINUTE)
      shop.gateway.isAway = false
      await shop.later(5 * MINUTE)
      const again = await shop.start('A-1', { method: 'prompt' })
      await shop.later(5 * MINUTE)
      expect(await shop.status(again.checkout_id)).toMatchObject({ outcome: 'paid', attempt: 1 })
      expect(shop.types()).toEqual(['checkout.paid'])
    },
  )

  test('uses up no attempt of its order, however often it is started, and by whatever details', async () => {
    const shop = await openAway(unreachable('ECONNREFUSED'))
    shop.order('A-1')
    for (let start = 0; start < 7; start++) {
      const answer = await shop.initiate('A-1', { payer_name: `Payer ${String.fromCodePoint(65 + start)}` })
      expect(answer.status).toBe(503)
    }

    shop.gateway.isAway = false
    await shop.later(5 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'waiting', attempt: 1 })
    expect(await shop.rows()).toHaveLength(1)
  })

  test('counts as a prompt of its phone each time that it is started with other details', async () => {
    const shop = await openAway(unreachable('ECONNREFUSED'))
    shop.order('A-1')
    for (const payer_name of ['Amina Otieno', 'Amina A. Otieno', 'A. Otieno']) {
      expect((await shop.initiate('A-1', { method: 'prompt', payer_name })).status).toBe(503)
    }

    shop.gateway.isAway = false
    const page = await shop.start('A-1', { method: 'prompt', payer_name: 'Otieno' })
    expect(page).toMatchObject({ attempt: 1, prompt: { method: null }, redirect_url: expect.any(String) })
  })

  test.each(PROOFS)(
    'a charge and airtime that did not reach the gateway because %s are sent once it answers',
    async (_, answer) => {
      const shop = await openAway(answer)
      expect(await shop.charge()).toMatchObject({ outcome: 'sending' })
      await shop.api('/airtime', airtime)
      expect(await shop.sentAt()).toEqual([null, null])
      await shop.later(MINUTE)
      const posts = shop.posts()
      shop.gateway.isAway = false
      await shop.later(5 * MINUTE)
      expect(await shop.read()).toMatchObject({ outcome: 'succeeded' })
      expect(shop.types().toSorted()).toEqual(['airtime.succeeded', 'airtime.succeeded', 'charge.succeeded'])
      expect(shop.posts()).toBe(posts + 1)
    },
  )

  test('a payout that was sent before stays sent when it certainly did not reach the gateway again', async () => {
    const shop = await openAway(() => new Response(null, { status: 502 }))
    await shop.payOut('local')
    const [first] = await shop.sentAt()
    shop.gateway.isAway = false
    await shop.later(2 * MINUTE)
    // The next send is the one that fails.
    shop.gateway.answer = unreachable('ECONNREFUSED')
    shop.gateway.isAway = true
    await shop.later(10 * MINUTE)
    expect({ first, sentAt: await shop.sentAt() }).toEqual({ first: expect.any(Number), sentAt: [first] })
    shop.gateway.isAway = false
    await shop.later(10 * MINUTE)
    expect(shop.types()).toEqual(['payout.succeeded'])
  })

  test('a charge whose connection broke may have reached the gateway, and is never sent again', async () => {
    const shop = await openAway(unreachable('ECONNRESET'))
    await shop.charge()
    shop.gateway.isAway = false
    await shop.later(5 * MINUTE)
    expect({ posts: shop.posts(), types: shop.types() }).toEqual({
      posts: 1,
      types: ['charge.needs_attention'],
    })
  })
})

describe('a payment that the gateway no longer answers about', () => {
  const refused = () =>
    Response.json({ status_code: 172, status_description: 'Archived', message: '' }, { status: 400 })
  const page = () => new Response('<h1>Not found</h1>', { status: 404 })

  async function openPaid(answer: () => Response) {
    let silentId: string | null = null
    let requests = 0
    const shop = await createWorld({
      gateway(url) {
        if (silentId === null || !url.includes(silentId)) {
          return undefined
        }

        requests += 1
        return answer()
      },
    })
    shop.order('A-1')
    const paid = await shop.start('A-1')
    await shop.pay(paid, 'approve')
    await shop.later(8 * DAY)
    silentId = paid.merchant_transaction_id
    return { shop, requests: () => requests }
  }

  test('a payment that the gateway no longer answers about is queried for thirty days after it settled, and no longer', async () => {
    const { shop, requests } = await openPaid(refused)
    await shop.later(24 * DAY)
    const before = requests()
    await shop.later(DAY)
    expect({ requests: requests() - before, rows: await shop.rows() }).toMatchObject({
      requests: 0,
      rows: [{ due_at: null }],
    })
  })

  test('a payment that the gateway no longer answers about is no outage of the gateway', async () => {
    const { shop, requests } = await openPaid(page)
    await shop.later(24 * DAY)
    expect(requests()).toBeLessThan(60)
    expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
