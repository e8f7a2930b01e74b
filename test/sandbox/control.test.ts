import { afterEach, describe, expect, it } from 'vitest'

import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { PAYOUT_ERROR_CODES } from '../../server/contract/payout.ts'
import { posted, tokenOf } from '../support/worlds/sandbox-line.ts'
import { CHARGES, CHECKOUTS, HOUR, MINUTE, openMerchant, request } from './merchant.ts'

import type { Wall } from '../../demo/sandbox/index.ts'
import type { Merchant } from './merchant.ts'

it('the clock can be read, advanced and sped up', async () => {
  const wall = { now: () => Date.UTC(2026, 10, 21, 9), wakeAfter: () => () => {} }
  const merchant = await openMerchant({ timeline: createTimeline({ wall }) })
  expect(await merchant.control('/clock')).toEqual({ now: '2026-11-21T09:00:00.000Z', speed: 1 })
  expect(await merchant.control('/clock/advance', { seconds: 90 })).toMatchObject({
    now: '2026-11-21T09:01:30.000Z',
  })
  expect(await merchant.control('/clock', { speed: 60 })).toMatchObject({ speed: 60 })
})

it('the control lists its routes and faults, and so does /docs', async () => {
  const merchant = await openMerchant()
  const { routes, faults } = await merchant.control('')
  const page = await (await merchant.sandbox.app.request('/docs')).text()
  for (const { method, path } of routes) {
    const answer = await merchant.sandbox.app.request(path, { method })
    expect(await answer.text()).not.toContain(`There is no ${method} `)
    expect(page).toContain(`<h3>${method} ${path}</h3>`)
  }

  expect(routes.map(({ path }: { path: string }) => path)).toContain('/_sandbox/snapshots/{id}/restore')
  for (const name of Object.keys(faults)) {
    expect(page).toContain(`<code>${name}</code>`)
  }

  expect(Object.keys(faults)).toHaveLength(13)
})

it('the control lists each scenario once, with unique digits', async () => {
  const merchant = await openMerchant()
  const { scenarios } = await merchant.control('/scenarios')
  const names = scenarios.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(PAYOUT_ERROR_CODES.map((code) => code.toLowerCase())))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(scenarios.map(({ digits }: { digits: string }) => digits)).size).toBe(names.length)
})

it.each([
  ['/checkouts/order-1/pay', { scenaro: 'cancel' }, 'scenaro is not known here: did you mean scenario'],
  ['/clock/advance', { seconds: 1, minutes: 2 }, 'minutes is not known here: known are seconds'],
  ['/faults', { fault: 'html', prob: 1 }, 'prob is not known here: known are '],
  ['/portal', { charge_callback: '' }, 'charge_callback is not known here'],
])('%s refuses an unknown field by its name, and does nothing', async (path, body, message) => {
  const merchant = await openMerchant()
  await merchant.begin()
  const now = await merchant.control('/clock')
  expect(await merchant.control(path, body)).toMatchObject({ message: expect.stringContaining(message) })
  expect(await merchant.control('/clock')).toEqual(now)
  expect(await merchant.control('/faults')).toEqual({ faults: [] })
  expect(await merchant.status()).toMatchObject({ status: 803, payments: [] })
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

it('a reset removes everything', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  const payment = await merchant.paid()
  await merchant.post('/_sandbox/reset', {})
  expect((await merchant.send(CHECKOUTS, request())).status).toBe(401)
  await merchant.renewToken()
  for (const status of [merchant.status, merchant.chargeStatus]) {
    expect(await status()).toMatchObject({ status_code: 120 })
  }

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
  ])('a fault %j applies once', async (fault, status, type) => {
    const merchant = await openMerchant()
    await set(merchant, fault)
    const response = await merchant.send(CHECKOUTS, request())
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe(type)
    expect((await merchant.send(CHECKOUTS, request())).status).toBe(200)
  })

  it('a fault applies `next` times, to its own route only', async () => {
    const merchant = await openMerchant()
    await set(merchant, { route: '/v2/checkout/status', fault: 'status', status: 500, next: 2 })
    await merchant.begin()
    expect(await merchant.status()).toMatchObject({ status_code: 174 })
    expect(await merchant.status()).toMatchObject({ status_code: 174 })
    expect(await merchant.status()).toMatchObject({ status: 803 })
  })

  it('the fault latency delays the response', async () => {
    const merchant = await openMerchant()
    await set(merchant, { fault: 'latency', ms: 3_000 })
    let answered = false
    const asked = merchant.begin().then(() => (answered = true))
    await merchant.later(2_999)
    expect(answered).toBe(false)
    await merchant.later(1)
    expect(await asked).toBe(true)
  })

  it('the fault reset does no work, and the fault answer_lost does the work', async () => {
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

  it.each([{}, { amount: 0 }])('the fault truncate sends half of the response to %j', async (fields) => {
    const merchant = await openMerchant()
    await set(merchant, { fault: 'truncate' })
    const answer = await merchant.send(CHECKOUTS, request(fields))
    expect(answer.ok).toBe(!('amount' in fields))
    await expect(answer.json()).rejects.toThrow(SyntaxError)
  })

  it('a fault with a probability applies to the same requests for the same seed', async () => {
    const day = async (seed: number) => {
      const merchant = await openMerchant()
      await merchant.begin()
      await set(merchant, { fault: 'status', status: 500, probability: 0.5, seed })
      const answers = []
      for (let asked = 0; asked < 32; asked++) {
        answers.push('status_code' in (await merchant.status()))
      }

      return answers
    }

    const monday = await day(1)
    expect(monday).toContain(true)
    expect(monday).toContain(false)
    expect(await day(1)).toEqual(monday)
    expect(await day(2)).not.toEqual(monday)
  })

  it('callbacks are dropped, delayed, duplicated, truncated and reordered by faults', async () => {
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
})

it('a held callback is sent when it is released', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.control('/faults', { fault: 'callback_hold' })
  await merchant.pay('approve')
  await merchant.later(72 * HOUR)
  expect(merchant.callbacks).toEqual([])
  const [{ id, ...held }] = await merchant.deliveries('order-1')
  expect(held).toMatchObject({ state: 'held', attempts: [] })
  expect(await merchant.control(`/callbacks/${id}/release`, {})).toMatchObject({ id, state: 'scheduled' })
  await merchant.later(0)
  expect(await merchant.deliveries('order-1')).toMatchObject([{ id, state: 'delivered' }])
  expect((await merchant.post(`/_sandbox/callbacks/${id}/release`, {})).status).toBe(404)
})

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

async function start(hostname = '127.0.0.1') {
  const sandbox = await startSandbox({ port: 0, hostname, seed: 1, timeline: createTimeline() })
  close = () => sandbox.close()
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(sandbox.url + path, posted(body, headers))
  const token = { 'x-access-token': await tokenOf(sandbox) }
  const initiate = () => post(CHECKOUTS, request(), token)
  return { ...sandbox, post, initiate }
}

it.each(['reset', 'answer_lost'])(
  'the sandbox cuts the connection on %s and keeps running',
  async (fault) => {
    const sandbox = await start()
    await sandbox.post('/_sandbox/faults', { fault })
    await expect(sandbox.initiate().then((answer) => answer.text())).rejects.toThrow()
    expect((await sandbox.initiate()).status).toBe(200)
  },
)

it('the sandbox is found under its address of IPv6', async () => {
  const sandbox = await start('::1')
  expect(sandbox.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await sandbox.initiate()).status).toBe(200)
})

const shared = openMerchant()

it.each([
  [`${CHARGES}/gone/status`, { status_code: 120, message: expect.stringContaining('"gone"') }],
  ['/v1/accounts/ACC-002/balance', { status_code: 174 }],
  ['/v1/payouts/anything', { response_code: 721, error_code: 'RESOURCE_NOT_FOUND' }],
  ['/v3/anything', { status_code: 174, message: 'There is no GET /v3/anything.' }],
  [
    '/api/v1/checkout/request/status?merchant_transaction_id=order-1',
    {
      message:
        'There is no GET /api/v1/checkout/request/status. An older generation of the gateway has this path. Use GET /v2/checkout/status/{merchant_transaction_id}.',
    },
  ],
])('%s does not exist', async (path, refusal) => {
  const merchant = await shared
  const answer = await merchant.get(path, { 'x-access-token': merchant.token() })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject(refusal)
})

it('a body that is not UTF-8, or endless without a Content-Length, is refused', async () => {
  const merchant = await shared

  const ask = async (body: BodyInit) => {
    const headers = { 'x-access-token': merchant.token(), 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    return (await merchant.sandbox.app.request(CHECKOUTS, init)).status
  }

  const chunk = new TextEncoder().encode(' '.repeat(1_000))
  expect(await ask(new Uint8Array([0xff, 0xfe]))).toBe(400)
  expect(await ask(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))).toBe(413)
})

it('credentials may be a form', async () => {
  const merchant = await shared
  const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
  const answer = await merchant.post('/v1/auth', new URLSearchParams(credentials).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({ access_token: expect.any(String), expiresIn: 3600 })
})

const START = 1_000_000

describe('without a wall clock', () => {
  it('without a wall clock, time stands still until advance', () => {
    const timeline = createTimeline({ wall: null, start: START })
    timeline.after(0, () => expect.unreachable())
    expect(timeline.now()).toBe(START)
  })

  it('due tasks run in order of time, then of adding, each at its own time', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(`${name} at ${timeline.now() - START}`)
    timeline.after(20, note('c'))
    timeline.after(10, note('a'))
    timeline.after(10, note('b'))
    timeline.after(31, note('late'))
    await timeline.advance(30)
    expect(seen).toEqual(['a at 10', 'b at 10', 'c at 20'])
    expect(timeline.now()).toBe(START + 30)
  })

  it('everything that a task started settles before time moves on', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    const seen: number[] = []
    timeline.after(10, async () => {
      for (let hop = 0; hop < 3; hop++) {
        await Promise.resolve()
      }

      seen.push(timeline.now() - START)
      await timeline.sleep(5)
      seen.push(timeline.now() - START)
    })
    timeline.after(12, () => void seen.push(timeline.now() - START))
    await timeline.advance(100)
    expect(seen).toEqual([10, 12, 15])
  })

  it('a cancelled task does not run', async () => {
    const timeline = createTimeline({ wall: null })
    const cancel = timeline.after(5, () => expect.unreachable())
    timeline.after(1, cancel)
    await timeline.advance(10)
  })

  it('ten times as many pending tasks, half of them cancelled, take far less than a hundred times as long', async () => {
    const run = async (count: number) => {
      const timeline = createTimeline({ wall: null, start: 0, settle: async () => {} })
      const began = process.cpuUsage()
      const seen: number[] = []
      const note = () => void seen.push(timeline.now())
      const cancels = Array.from({ length: count }, (_, task) => timeline.at((task * 7_919) % 99_991, note))
      for (const [task, cancel] of cancels.entries()) {
        if (task % 2 === 0) {
          cancel()
        }
      }

      await timeline.advance(100_000)
      const { user, system } = process.cpuUsage(began)
      expect(seen).toHaveLength(count / 2)
      expect(seen).toEqual(seen.toSorted((one, other) => one - other))
      return user + system
    }

    const few = await run(10_000)
    expect((await run(100_000)) / few).toBeLessThan(40)
  })

  it('advance continues after a task that throws, then rejects', async () => {
    const timeline = createTimeline({ wall: null, start: START })
    let ran = false
    timeline.after(1, () => {
      throw new Error('first')
    })
    timeline.after(2, () => Promise.reject(new Error('second')))
    timeline.after(3, () => void (ran = true))
    await expect(timeline.advance(10)).rejects.toThrow('first')
    expect(ran).toBe(true)
    expect(timeline.now()).toBe(START + 10)
    await timeline.advance(1)
  })

  it('without a wall clock, time cannot go back, and has no speed', () => {
    const timeline = createTimeline({ wall: null })
    expect(() => timeline.advance(-1)).toThrow(RangeError)
    expect(() => timeline.setSpeed(2)).toThrow(RangeError)
  })
})

describe('with a wall clock', () => {
  it('with a wall clock, time passes at the given speed', () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    wall.pass(100)
    expect(timeline.now()).toBe(START + 100)
    timeline.setSpeed(60)
    wall.pass(1_000)
    expect(timeline.now()).toBe(START + 60_100)
    timeline.setSpeed(0)
    wall.pass(1_000)
    expect(timeline.now()).toBe(START + 60_100)
  })

  it('with a wall clock, one real timer waits for the next due task', () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    const seen: number[] = []
    timeline.after(500, () => void seen.push(500))
    timeline.after(100, () => void seen.push(100))
    expect(wall.timers()).toBe(1)
    wall.pass(100)
    expect(seen).toEqual([100])
    timeline.setSpeed(4)
    wall.pass(100)
    expect(seen).toEqual([100, 500])
    expect(wall.timers()).toBe(0)
  })

  it('with a wall clock, advance runs everything that becomes due', async () => {
    const wall = handWall()
    const timeline = createTimeline({ wall, start: START })
    const seen: number[] = []
    timeline.after(1_000, () => void seen.push(timeline.now() - START))
    await timeline.advance(3_600_000)
    expect(seen).toEqual([1_000])
    expect(timeline.now()).toBe(START + 3_600_000)
    wall.pass(5)
    expect(timeline.now()).toBe(START + 3_600_005)
  })
})

function handWall(): Wall & { pass(ms: number): void; timers(): number } {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    wakeAfter(ms, wake) {
      timers.set(wake, now + ms)
      return () => void timers.delete(wake)
    },
    pass(ms) {
      now += ms
      for (const [wake, at] of timers) {
        if (at > now) {
          continue
        }

        timers.delete(wake)
        wake()
      }
    },
    timers: () => timers.size,
  }
}
