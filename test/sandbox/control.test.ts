import { describe, expect, it } from 'vitest'
import { PAYOUT_ERROR_CODES } from '../../server/contract/payout.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { AIRTIME, B2B, CHARGES, CHECKOUTS, CONFIRM, HOUR, MINUTE, PAYOUTS } from './merchant.ts'
import { openMerchant, request } from './merchant.ts'
import type { Merchant } from './merchant.ts'

describe('the clock', () => {
  it('can be read, advanced and sped up', async () => {
    const wall = { now: () => Date.UTC(2026, 10, 21, 9), wakeAfter: () => () => {} }
    const merchant = await openMerchant({ timeline: createTimeline({ wall }) })
    expect(await merchant.control('/clock')).toEqual({ now: '2026-11-21T09:00:00.000Z', speed: 1 })
    expect(await merchant.control('/clock/advance', { seconds: 90 })).toMatchObject({
      now: '2026-11-21T09:01:30.000Z',
    })
    expect(await merchant.control('/clock', { speed: 60 })).toMatchObject({ speed: 60 })
  })

  it.each([{}, { seconds: -1 }, { seconds: 'soon' }, { seconds: 1e12 }, { seconds: null }])(
    'does not advance by %j',
    async (body) => {
      const merchant = await openMerchant()
      expect(await merchant.refusal('/_sandbox/clock/advance', body)).toMatchObject({
        http: 400,
        status_code: 172,
        message: expect.stringContaining('seconds'),
      })
    },
  )
})

it('lists each scenario once, with unique digits', async () => {
  const merchant = await openMerchant()
  const { scenarios } = await merchant.control('/scenarios')
  const names = scenarios.map(({ name }: { name: string }) => name)
  expect(names.slice(0, 11)).toEqual([
    'approve',
    'insufficient_funds',
    'wrong_pin',
    'ignore',
    'cancel',
    'partial',
    'overpay',
    'slow',
    'jam',
    'reverse',
    'refund',
  ])
  expect(names.slice(11)).toEqual([
    'success',
    'decline',
    ...PAYOUT_ERROR_CODES.map((code) => code.toLowerCase()),
    'reprocess',
  ])
  expect(new Set(scenarios.map(({ digits }: { digits: string }) => digits)).size).toBe(names.length)
})

it('the request log has no secrets', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.send(CHECKOUTS, request({ amount: 0, extra: { deep: ['x'] } }))
  const { requests } = await merchant.control('/requests')
  expect(requests).toMatchObject([
    { method: 'POST', path: '/v1/auth', status: 201, body: { consumer_secret: '[redacted]' } },
    { path: '/v2/checkout/initiate', status: 200, body: { merchant_transaction_id: 'order-1' } },
    { status: 400, body: { extra: '[nested]' }, refusal: { status_code: 172 } },
  ])
  expect(JSON.stringify(requests)).not.toContain('sandbox-secret')
  expect(JSON.stringify(requests)).not.toContain(merchant.token())
})

it.each([
  ['a mistyped name', { client_secret: 'sandbox-secret' }, 'application/json'],
  ['JSON that says it is a form', { consumer_secret: 'sandbox-secret' }, 'application/x-www-form-urlencoded'],
])('the request log has no secrets of %s', async (_, credentials, type) => {
  const merchant = await openMerchant()
  await merchant.post('/v1/auth', credentials, { 'content-type': type })
  expect(await (await merchant.get('/_sandbox/requests')).text()).not.toContain('sandbox-secret')
})

it('a scenario for an unknown checkout is refused', async () => {
  const merchant = await openMerchant()
  expect(await merchant.pay('approve')).toMatchObject({ status_code: 120 })
})

it.each([
  ['/checkouts/order-1/pay', ['toString', 'success', '', null]],
  ['/payouts/payout-1/play', ['approve', 'constructor', '', null, 7]],
  ['/airtime/AIRTIME-1/254700000001/play', ['approve', 'insufficient_balance', 'constructor', '', null]],
])('%s refuses each of the scenarios %j', async (path, scenarios) => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.buy()
  for (const scenario of scenarios)
    expect(await merchant.refusal(`/_sandbox${path}`, { scenario })).toMatchObject({
      http: 400,
      status_code: 172,
      message: expect.stringContaining('scenario'),
    })
})

it('a reset removes everything', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  const payment = await merchant.paid()
  await merchant.post('/_sandbox/reset', {})
  expect((await merchant.send(CHECKOUTS, request())).status).toBe(401)
  await merchant.renewToken()
  for (const status of [merchant.status, merchant.chargeStatus])
    expect(await status()).toMatchObject({ status_code: 120 })
  expect((await merchant.confirm(payment)).status).toBe(404)
})

describe('a fault', () => {
  const set = async (merchant: Merchant, fault: object) => {
    const answer = await merchant.post('/_sandbox/faults', fault)
    expect(answer.status).toBe(200)
  }

  it.each([
    [{ fault: 'status', status: 503 }, 503, 'application/json'],
    [{ fault: 'html' }, 200, 'text/html; charset=utf-8'],
    [{ fault: 'token_expired' }, 401, 'application/json'],
  ])('%j applies once', async (fault, status, type) => {
    const merchant = await openMerchant()
    await set(merchant, fault)
    const response = await merchant.send(CHECKOUTS, request())
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe(type)
    expect((await merchant.send(CHECKOUTS, request())).status).toBe(200)
  })

  it('applies `next` times, to its own route only', async () => {
    const merchant = await openMerchant()
    await set(merchant, { route: '/v2/checkout/status', fault: 'status', status: 500, next: 2 })
    await merchant.begin()
    expect(await merchant.status()).toMatchObject({ status_code: 174 })
    expect(await merchant.status()).toMatchObject({ status_code: 174 })
    expect(await merchant.status()).toMatchObject({ status: 803 })
  })

  it.each([
    { routes: [CHECKOUTS, CHARGES, CONFIRM], refusal: { status_code: 174 } },
    { routes: [PAYOUTS, B2B, AIRTIME], refusal: { response_code: 721, error_code: 'FAILED' } },
  ])('of $routes is answered with $refusal', async ({ routes, refusal }) => {
    const merchant = await openMerchant()
    for (const route of routes) {
      await set(merchant, { route, fault: 'status', status: 503 })
      expect(await merchant.refusal(route, {})).toMatchObject({ http: 503, ...refusal })
    }
  })

  it('latency delays the response', async () => {
    const merchant = await openMerchant()
    await set(merchant, { fault: 'latency', ms: 3_000 })
    let answered = false
    const asked = merchant.begin().then(() => (answered = true))
    await merchant.later(2_999)
    expect(answered).toBe(false)
    await merchant.later(1)
    expect(await asked).toBe(true)
  })

  it('reset does no work, answer_lost does the work', async () => {
    for (const [fault, status] of [
      ['reset', { status_code: 120 }],
      ['answer_lost', { status: 803 }],
    ] as const) {
      const merchant = await openMerchant()
      await set(merchant, { route: CHECKOUTS, fault })
      const broken = await merchant.send(CHECKOUTS, request())
      await expect(broken.text()).rejects.toThrow('reset')
      expect(await merchant.status()).toMatchObject(status)
    }
  })

  it.each([{}, { amount: 0 }])('truncate sends half of the response to %j', async (fields) => {
    const merchant = await openMerchant()
    await set(merchant, { fault: 'truncate' })
    const answer = await merchant.send(CHECKOUTS, request(fields))
    expect(answer.ok).toBe(!('amount' in fields))
    await expect(answer.json()).rejects.toThrow(SyntaxError)
  })

  it('with a probability applies to the same requests for the same seed', async () => {
    const day = async (seed: number) => {
      const merchant = await openMerchant()
      await merchant.begin()
      await set(merchant, { fault: 'status', status: 500, probability: 0.5, seed })
      const answers = []
      for (let asked = 0; asked < 32; asked++) answers.push('status_code' in (await merchant.status()))
      return answers
    }
    const monday = await day(1)
    expect(monday).toContain(true)
    expect(monday).toContain(false)
    expect(await day(1)).toEqual(monday)
    expect(await day(2)).not.toEqual(monday)
  })

  it('callbacks are dropped, delayed, duplicated, truncated and reordered', async () => {
    const statuses = async (fault: object) => {
      const merchant = await openMerchant()
      await merchant.begin()
      await set(merchant, fault)
      await merchant.pay('partial')
      await merchant.later(1_000)
      await merchant.pay('approve')
      await merchant.later(2 * HOUR)
      return merchant.callbacks.map(({ body }) => body?.status ?? null)
    }
    expect(await statuses({ fault: 'callback_drop' })).toEqual([801])
    expect(await statuses({ fault: 'callback_delay', ms: MINUTE })).toEqual([801, 802])
    expect(await statuses({ fault: 'callback_duplicate' })).toEqual([802, 802, 801])
    expect(await statuses({ fault: 'callback_corrupt' })).toEqual([null, 801])
    expect(await statuses({ fault: 'callback_reorder' })).toEqual([801, 802])
    expect(await statuses({ fault: 'callback_reorder', next: 2 })).toEqual([802, 801])
    expect(await statuses({ fault: 'callback_drop', route: '/elsewhere' })).toEqual([802, 801])
  })

  it('is listed and can be deleted', async () => {
    const merchant = await openMerchant()
    await set(merchant, { fault: 'html', next: 5 })
    const list = async () => (await merchant.control('/faults')).faults
    expect(await list()).toMatchObject([{ fault: 'html', route: '*', next: 5 }])
    await merchant.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
    expect(await list()).toEqual([])
    await merchant.begin()
  })

  it.each([
    {},
    { fault: 'flood' },
    { fault: 'latency' },
    { fault: 'status', status: 200 },
    { fault: 'html', next: 0 },
    { fault: 'html', next: 1, probability: 1 },
  ])('%j is refused', async (fault) => {
    const merchant = await openMerchant()
    expect((await merchant.post('/_sandbox/faults', fault)).status).toBe(400)
  })
})
