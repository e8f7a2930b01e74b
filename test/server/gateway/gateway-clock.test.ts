import { describe, expect, test } from 'vitest'

import { createDateReader, createSkewWatch, readDate, skewOf } from '../../../server/gateway/gateway-clock.ts'
import { silentLog } from '../../../server/log/log.ts'
import { DAY, MINUTE, SECOND } from '../../../server/transactions/schedule.ts'
import { createChargeWorld } from '../../support/worlds/charge-world.ts'
import { createWorld, START } from '../../support/worlds/world.ts'

import type { World, WorldOptions } from '../../support/worlds/world.ts'

test.each([
  ['40 minutes ahead for a minute', 40 * MINUTE],
  ['31 days ahead for a minute', 31 * DAY],
])('an order has no other page while its page takes money, with a clock that is %s', async (_, aheadMs) => {
  const shop = await createWorld()
  shop.order('A-1', '1500')
  const first = await shop.start('A-1')
  shop.bffClock.aheadMs = aheadMs
  await shop.later(MINUTE)
  expect(await shop.status(first.checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  const during = await shop.start('A-1')
  shop.bffClock.aheadMs = 0
  await shop.later(10 * SECOND)
  const after = await shop.start('A-1')
  for (const { merchant_transaction_id } of [during, after]) {
    expect(merchant_transaction_id).toBe(first.merchant_transaction_id)
  }

  expect(after.redirect_url).toBe(first.redirect_url)
  await shop.pay(first, 'approve')
  await shop.later(2 * MINUTE)
  expect(shop.types()).toEqual(['checkout.paid'])
})

test('with a clock that is ten minutes ahead for good, an order has one page, which ends with its session', async () => {
  const shop = await createWorld()
  shop.bffClock.aheadMs = 10 * MINUTE
  shop.order('A-1', '1500')
  const first = await shop.start('A-1')
  await shop.later(23 * MINUTE)
  expect(await shop.status(first.checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  const again = await shop.start('A-1')
  expect(again.merchant_transaction_id).toBe(first.merchant_transaction_id)
  await shop.later(10 * MINUTE)
  const second = await shop.start('A-1')
  expect(second.merchant_transaction_id).not.toBe(first.merchant_transaction_id)
  expect((await shop.status(first.checkout_id)).settled).toBe(true)
})

/** Answers status queries as the sandbox does, with a Date by the clock of a server that can be wrong. */
function datedBy(
  server: { aheadMs: number },
  sandbox: () => World['sandbox'],
): NonNullable<WorldOptions['gateway']> {
  return async (url, init) => {
    if (init.method !== 'GET' || !url.includes('/status')) {
      return undefined
    }

    const answer = await sandbox().app.request(url, init)
    const date = Date.parse(answer.headers.get('date') ?? '') + server.aheadMs
    const headers = new Headers(answer.headers)
    headers.set('date', new Date(date).toUTCString())
    return new Response(await answer.text(), { status: answer.status, headers })
  }
}

test.each([
  ['a checkout on a page', {}],
  ['a checkout with splits', { splits: [{ account: 'PARTNER-001', amount: '100', reason: 'Cloth' }] }],
])(
  'a session that has ended by the Date of one answer is open again by that of the next: %s',
  async (_, order) => {
    const server = { aheadMs: 0 }
    const shop: World = await createWorld({ gateway: datedBy(server, () => shop.sandbox) })
    shop.order('A-1', '1500', order)
    const first = await shop.start('A-1')
    await shop.later(3 * MINUTE)
    server.aheadMs = 2 * DAY
    await shop.later(MINUTE)
    expect(await shop.rows()).toMatchObject([{ outcome: 'unpaid' }])

    server.aheadMs = 0
    await shop.later(2 * SECOND)
    const again = await shop.start('A-1')
    expect(again).toMatchObject({ attempt: 1, settled: false, redirect_url: first.redirect_url })
    await shop.later(2 * DAY)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
    // The end was told once.
    expect(shop.types()).toEqual(['checkout.unpaid'])
  },
)

test('a charge that has failed by the Date of one answer is open again by that of the next, and needs a person if it is paid', async () => {
  const server = { aheadMs: 0 }
  const biller: Awaited<ReturnType<typeof createChargeWorld>> = await createChargeWorld({
    gateway: datedBy(server, () => biller.sandbox),
  })
  await biller.charge({ payer_msisdn: '254700000001', payment_method_code: undefined })
  server.aheadMs = 3 * DAY
  await biller.later(MINUTE)
  expect(await biller.read()).toMatchObject({ outcome: 'failed' })
  server.aheadMs = 0
  await biller.later(10 * MINUTE)
  expect(await biller.read()).toMatchObject({ outcome: 'pending', settled: false })
  await biller.play('approve')
  await biller.later(2 * MINUTE)
  expect(biller.types()).toEqual(['charge.failed', 'charge.needs_attention'])
})

test.each([
  ['checkout', 20],
  ['checkout', 40],
  ['charge', 40],
])('a %s that began while this clock was %i days behind is not overdue', async (kind, days) => {
  const shop = await createChargeWorld()
  shop.bffClock.aheadMs = -days * DAY
  shop.order('A-1')
  const view = kind === 'checkout' ? await shop.start('A-1') : null
  if (!view) {
    await shop.charge({ payment_method_code: undefined })
  }

  shop.bffClock.aheadMs = 0
  await shop.later(5 * MINUTE)
  await (view ? shop.pay(view, 'approve') : shop.play('approve'))
  await shop.later(DAY)
  expect(shop.types()).toEqual([view ? 'checkout.paid' : 'charge.succeeded'])
})

test('a charge has not failed because this clock is ahead', async () => {
  const biller = await createChargeWorld()
  await biller.charge({ payer_msisdn: '254700000001', payment_method_code: undefined })
  biller.bffClock.aheadMs = 3 * DAY
  await biller.later(MINUTE)
  expect(await biller.read()).toMatchObject({ settled: false })
})

test("no checkout is overdue by a gateway's clock that is 31 days ahead", async () => {
  const shop = await createWorld()
  shop.bffClock.aheadMs = -31 * DAY
  shop.order('A-1', '1500')
  const first = await shop.start('A-1')
  await shop.later(MINUTE)
  expect(await shop.status(first.checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  await shop.pay(first, 'approve')
  await shop.later(2 * MINUTE)
  expect(shop.types()).toEqual(['checkout.paid'])
})

test("no charge is overdue by a gateway's clock that is 31 days ahead", async () => {
  const biller = await createChargeWorld()
  biller.bffClock.aheadMs = -31 * DAY
  await biller.charge({ payer_msisdn: '254700000001', payment_method_code: undefined })
  await biller.later(MINUTE)
  expect(await biller.read()).toMatchObject({ outcome: 'pending', attention: null })
  expect(biller.types()).toEqual([])
})

const HEADERS = (date: string, age?: string) =>
  new Headers({ ...(date && { date }), ...(age !== undefined && { age }) })

test.each([
  ['Sat, 21 Nov 2026 09:00:00 GMT', START],
  ['Thu, 01 Jan 2026 00:00:00 GMT', Date.UTC(2026)],
  ['Thu, 01 Jan 1970 00:00:07 GMT', null],
  ['Sat, 01 Jan 2000 00:00:00 GMT', null],
  ['Fri, 21 Nov 2126 09:00:00 GMT', null],
  ['Sat, 21 Nov 2026 09:00:00', null],
  ['Sat, 21 Nov 2026 09:00:00 +0300', null],
  ['Sat, 32 Nov 2026 09:00:00 GMT', null],
  ['Sat, 21 Nov 2026 09:00:00 GMT, Sat, 21 Nov 2026 09:00:01 GMT', null],
  ['1795251600', null],
  ['now', null],
  ['', null],
])('the Date %j of an answer is %s', (date, at) => {
  expect(readDate(HEADERS(date))).toBe(at)
})

test('the Date is missing in an answer without headers', () => {
  expect(readDate(undefined)).toBeNull()
})

test.each([
  ['within the exchange', 0, 20 * SECOND, 0],
  ['within the second that Date cuts off', 999, 1_500, 0],
  ['before it', 1_000, 2_000, 1],
  ['long before it', 40 * MINUTE + 999, 41 * MINUTE, 40 * MINUTE],
  ['after it', -9_000, -7_000, -7_000],
])('the Date of an answer that lies %s shows how far this clock is ahead', (_, startedAt, endedAt, skew) => {
  const headers = HEADERS(new Date(START).toUTCString())
  expect(skewOf(readDate(headers), headers, START + startedAt, START + endedAt)).toBe(skew)
})

test('the Date of an answer shows nothing of the clocks if it is missing, or if the answer comes from a cache', () => {
  expect(skewOf(null, HEADERS(''), START, START)).toBeNull()
  expect(skewOf(START, HEADERS(new Date(START).toUTCString(), '300'), START, START)).toBeNull()
})

test('the log names a difference between the clocks above 30 seconds once, and its end', async () => {
  const shop = await createWorld()
  const warnings = () => shop.logged.filter(({ message }) => /clock/.test(message))
  shop.order('A-1', '1500')
  const { checkout_id } = await shop.start('A-1')
  shop.bffClock.aheadMs = 29 * SECOND
  await shop.later(MINUTE)
  expect(warnings()).toEqual([])
  for (let minute = 0; minute < 5; minute++) {
    shop.bffClock.aheadMs = -40 * MINUTE
    await shop.later(MINUTE)
    await shop.status(checkout_id)
  }

  expect(warnings()).toEqual([
    {
      level: 'warn',
      facts: { seconds: -2400 },
      message: expect.stringMatching(
        /^This server's clock is 2400 seconds behind the gateway's\. A session ends by the gateway's clock .* NTP\.$/,
      ),
    },
  ])
  shop.bffClock.aheadMs = 0
  await shop.later(MINUTE)
  await shop.status(checkout_id)
  expect(warnings().slice(1)).toEqual([
    {
      level: 'warn',
      facts: { seconds: 0 },
      message: "This server's clock agrees with the gateway's again.",
    },
  ])
})

test('the log has one line a minute if the clocks of several gateways differ', () => {
  const lines: string[] = []
  let now = START
  const clock = { now: () => now, sleep: async () => {} }
  const log = { ...silentLog, warn: (_: object, message: string) => void lines.push(message) }
  const watch = createSkewWatch({ clock, log })
  for (let exchange = 0; exchange < 600; exchange++) {
    watch({ skew_ms: exchange % 2 === 0 ? 45 * SECOND : 0, is_date_still: false })
    watch({ skew_ms: null, is_date_still: false })
    now += SECOND
  }

  expect(lines.length).toBeGreaterThan(5)
  expect(lines.length).toBeLessThanOrEqual(10)
})

test('an answer without a Date leaves the end of a session to this clock', async () => {
  const shop = await createWorld({
    gateway: (url) => {
      const id = /\/v2\/checkout\/status\/(.+)$/.exec(url)?.[1]
      const payload = { merchant_transaction_id: id, amount: '0', payments: [], status: 803 }
      return id === undefined ? undefined : Response.json({ ...payload, timestamp: '2026-11-21T09:00:00Z' })
    },
  })
  shop.order('A-1', '1500')
  const { checkout_id } = await shop.start('A-1')
  shop.bffClock.aheadMs = 40 * MINUTE
  await shop.later(MINUTE)
  expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'unpaid', settled: true })
})

test('a Date that stands still leaves the end of a session to this clock, and the log names it once', async () => {
  const shop = await createWorld({
    gateway(url) {
      const id = /\/v2\/checkout\/status\/(.+)$/.exec(url)?.[1]
      const payload = { merchant_transaction_id: id, amount: '0', payments: [], status: 803 }
      const headers = { date: new Date(START).toUTCString() }
      return id === undefined ? undefined : Response.json(payload, { headers })
    },
  })
  shop.order('A-1', '1500')
  const { checkout_id } = await shop.start('A-1')
  await shop.later(20 * MINUTE)
  expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  await shop.later(20 * MINUTE)
  expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'unpaid', settled: true })
  const warnings = shop.logged.filter(({ message }) => /stands still/.test(message))
  expect(warnings).toMatchObject([{ level: 'warn' }])
})

describe('a Date stands still', () => {
  function readAt(times: readonly (readonly [now: number, date: number])[]) {
    let now = START
    const read = createDateReader({ now: () => now })
    return times.map(([at, date]) => {
      now = START + at
      return read(HEADERS(new Date(START + date).toUTCString())).is_still
    })
  }

  test.each([
    ['if it was seen again twice', [MINUTE + 1, 2 * MINUTE + 2].map((at) => [at, 0] as const), true],
    [
      'if another host moves',
      [
        [MINUTE + 1, 0],
        [2 * MINUTE, 2 * MINUTE],
        [2 * MINUTE + 2, 0],
      ] as const,
      true,
    ],
    ['but not within a minute', [SECOND, MINUTE].map((at) => [at, 0] as const), false],
    [
      'but not if this clock jumped',
      [
        [40 * MINUTE, 0],
        [40 * MINUTE + SECOND, 0],
      ] as const,
      false,
    ],
    ['but not if it moves', [MINUTE + 1, 2 * MINUTE + 2].map((at) => [at, at] as const), false],
  ])('a Date stands still %s', (_, later, isStill) => {
    expect(readAt([[0, 0], ...later]).at(-1)).toBe(isStill)
  })
})
