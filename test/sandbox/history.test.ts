import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { formIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { newStoreFolder } from '../support/folder.ts'
import { connect, HOUR, MINUTE, openMerchant, PAYOUTS, payout, SECOND, START } from './merchant.ts'

import type { Merchant } from './merchant.ts'

/** The processor time of this process: other processes of the machine do not change it. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / 1_000)
}

const SHOWN = 'ledger callbacks requests faults clock portal accounts/ACC-001/statement'.split(' ')

/** What the control routes show, which leaves no trace. */
async function everythingOf({ sandbox }: Pick<Merchant, 'sandbox'>, paths = SHOWN): Promise<string> {
  const shown = []
  for (const path of paths) {
    shown.push(await (await sandbox.app.request(`/_sandbox/${path}`)).text())
  }

  return shown.join('\n')
}

async function snapshot(merchant: Merchant): Promise<string> {
  const taken = await merchant.post('/_sandbox/snapshots', {})
  expect(taken.status).toBe(201)
  return (await taken.json()).id
}

async function restore(merchant: Merchant, id: string): Promise<void> {
  expect((await merchant.post(`/_sandbox/snapshots/${id}/restore`, {})).status).toBe(200)
}

/** Leaves something of everything under way: prompts, results, retries, faults, a held callback, a delayed request. */
async function beginDay(merchant: Merchant): Promise<void> {
  await merchant.control('/faults', { fault: 'callback_hold', route: '/held' })
  await merchant.control('/faults', {
    fault: 'status',
    status: 500,
    route: '/v1/fx',
    probability: 0.5,
    seed: 7,
  })
  await merchant.begin()
  await merchant.pay('partial')
  await merchant.begin({ merchant_transaction_id: 'held', callback_url: 'http://127.0.0.1:9/held' })
  await merchant.pay('approve', {}, 'held')
  await merchant.charge()
  await merchant.later(MINUTE)
  await merchant.accepted(PAYOUTS, payout({ callback_url: 'http://127.0.0.1:9/away' }))
  await merchant.later(4 * SECOND)
  await merchant.buy()
  await merchant.control('/faults', { fault: 'latency', ms: 30_000, route: PAYOUTS })
  void merchant.send(PAYOUTS, payout({ payout_reference: 'late' }))
  for (let asked = 0; asked < 5; asked++) {
    await merchant.get('/v1/fx?base_currency=KES', token(merchant))
  }

  await merchant.pay('slow')
  await merchant.later(2 * SECOND)
}

async function endDay(merchant: Merchant): Promise<void> {
  await merchant.renewToken()
  for (let asked = 0; asked < 20; asked++) {
    await merchant.get('/v1/fx?base_currency=KES', token(merchant))
  }

  await merchant.begin({ merchant_transaction_id: 'order-3' })
  await merchant.pay('approve', {}, 'order-3')
  await merchant.later(72 * HOUR)
}

const token = (merchant: Merchant) => ({ 'x-access-token': merchant.token() })

const openShop = (reply = (url: string) => new Response('', { status: url.endsWith('/away') ? 503 : 200 })) =>
  openMerchant({ reply })

describe('a snapshot', () => {
  it('a snapshot is gone back to without a trace of what came after it', async () => {
    const forked = await openShop()
    const straight = await openShop()
    await beginDay(forked)
    await beginDay(straight)
    const id = await snapshot(forked)
    const before = await everythingOf(forked)
    expect(before).toBe(await everythingOf(straight))

    await diverge(forked)
    expect(await everythingOf(forked)).not.toBe(before)
    await restore(forked, id)
    expect(await everythingOf(forked)).toBe(before)
    await endDay(forked)
    await endDay(straight)
    const after = await everythingOf(straight)
    expect(after).toContain('"late"')
    expect(await everythingOf(forked)).toBe(after)
  })

  it('a snapshot gives equal states whenever it is restored', async () => {
    const merchant = await openShop()
    await beginDay(merchant)
    const id = await snapshot(merchant)
    await endDay(merchant)
    const first = await everythingOf(merchant)
    for (let time = 0; time < 2; time++) {
      await restore(merchant, id)
      await endDay(merchant)
      expect(await everythingOf(merchant)).toBe(first)
    }
  })

  it('a snapshot has the time, the speed and the sign-ins of its moment', async () => {
    const wall = { now: () => START, wakeAfter: () => () => {} }
    const merchant = await openMerchant({ timeline: createTimeline({ wall }) })
    await merchant.control('/clock', { speed: 60 })
    const id = await snapshot(merchant)
    await merchant.control('/clock', { speed: 2 })
    await merchant.later(HOUR)
    await restore(merchant, id)
    const clock = { now: '2026-11-21T09:00:00.000Z', speed: 60 }
    expect(await merchant.control('/clock')).toEqual(clock)
  })

  it('a snapshot sends a callback again that was on its way', async () => {
    let answer = () => {}
    const waits = new Promise<void>((resolve) => (answer = resolve))
    let attempts = 0
    const merchant = await openMerchant({
      reply: async () => {
        attempts += 1
        if (attempts === 1) {
          await waits
        }
        return new Response('OK')
      },
    })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(SECOND)
    const id = await snapshot(merchant)
    await restore(merchant, id)
    answer()
    await merchant.later(SECOND)
    expect(attempts).toBe(2)
    expect(await merchant.deliveries('order-1')).toMatchObject([{ state: 'delivered', attempts: [{}] }])
  })

  it('a snapshot that does not exist is not found, nor is one from before a reset', async () => {
    const merchant = await openMerchant()
    const id = await snapshot(merchant)
    expect((await merchant.post('/_sandbox/snapshots/none/restore', {})).status).toBe(404)
    await merchant.post('/_sandbox/reset', {})
    expect((await merchant.post(`/_sandbox/snapshots/${id}/restore`, {})).status).toBe(404)
  })

  it('a snapshot is the last of 100 until a reset', async () => {
    const merchant = await openMerchant()
    for (let taken = 0; taken < 100; taken++) {
      await snapshot(merchant)
    }

    expect((await merchant.post('/_sandbox/snapshots', {})).status).toBe(409)
    await merchant.post('/_sandbox/reset', {})
    expect(await snapshot(merchant)).toBe('1')
  })
})

async function diverge(merchant: Merchant): Promise<void> {
  await merchant.control('/portal', { charge_callback_url: 'http://127.0.0.1:9/other' })
  await merchant.control('/faults', { fault: 'callback_drop', next: 9 })
  await merchant.play('reverse')
  await merchant.begin({ merchant_transaction_id: 'other' })
  await merchant.pay('approve', {}, 'other')
  await merchant.later(5 * HOUR)
}

it('the sandbox repeats 48 hours of callback retries, 24 changes of rates and 1,000 expiries in a second of processor time', async () => {
  const merchant = await openShop()
  await merchant.accepted(PAYOUTS, payout({ callback_url: 'http://127.0.0.1:9/away' }))
  for (let order = 0; order < 1_000; order++) {
    await merchant.begin({ merchant_transaction_id: `order-${order}` })
  }

  const rates = new Set<string>()
  for (let hour = 0; hour < 49; hour++) {
    await merchant.later(HOUR)
    await merchant.renewToken()
    if (hour < 24) {
      rates.add(await merchant.rate('KES', 'UGX'))
    }
  }

  expect(rates.size).toBe(24)
  expect(await merchant.status('order-999')).toMatchObject({ status: 820 })
  expect(await merchant.deliveries('payout-1')).toMatchObject([
    { state: 'given_up', attempts: { length: 4 } },
  ])
  // The log had the queries of the rates, which changed nothing.
  const state = SHOWN.filter((path) => path !== 'requests')
  const before = await everythingOf(merchant, state)
  const id = await snapshot(merchant)
  const began = process.cpuUsage()
  await restore(merchant, id)
  expect(millisecondsSince(began)).toBeLessThan(1_000)
  expect(await everythingOf(merchant, state)).toBe(before)
})

const TRANSACTIONS = process.env.FULL ? 100_000 : 2_000

it(`the sandbox takes a snapshot of ${TRANSACTIONS} transactions in 100 ms of processor time`, async () => {
  const merchant = await openMerchant()
  for (let begun = 0; begun < TRANSACTIONS; begun++) {
    await merchant.begin({ merchant_transaction_id: `order-${begun}` })
    if (begun % 50 === 0) {
      await merchant.pay('approve', {}, `order-${begun}`)
    }
    if (begun % 1_000 === 0) {
      await merchant.later(SECOND)
    }
  }

  const began = process.cpuUsage()
  const id = await snapshot(merchant)
  expect(millisecondsSince(began)).toBeLessThan(100)
  const before = await merchant.balance()
  const restoring = process.cpuUsage()
  await restore(merchant, id)
  console.log(`Restored in ${millisecondsSince(restoring)} ms of processor time.`)
  expect(await merchant.balance()).toBe(before)
}, 600_000)

describe('a file of the state', () => {
  const open = async (state: string, seed?: number) => {
    const timeline = createTimeline({ wall: null, start: START })
    const reply = (url: string) => new Response('', { status: url.endsWith('/away') ? 503 : 200 })
    const sandbox = await startSandbox({ port: 0, state, timeline, fetch: reply, ...(seed && { seed }) })
    return { sandbox, timeline, callbacks: [] }
  }

  const newFile = () => join(newStoreFolder(), 'state')

  it('a file of the state has the same bytes after the same calls with the same seed', async () => {
    const files = [newFile(), newFile()]
    const seen = []
    for (const state of files) {
      const world = await open(state, 1)
      const merchant = await connect(world)
      await beginDay(merchant)
      const id = await snapshot(merchant)
      await endDay(merchant)
      await restore(merchant, id)
      await endDay(merchant)
      seen.push(await everythingOf(merchant))
      await world.sandbox.close()
    }

    const [first, second] = files.map((path) => readFileSync(path, 'utf8'))
    expect(first?.split('\n').length).toBeGreaterThan(100)
    expect(second).toBe(first)
    expect(seen[1]).toBe(seen[0])
  })

  it('a file of the state lets another process continue, also with its snapshots, and without a line that was not ended', async () => {
    const state = newFile()
    const world = await open(state)
    const merchant = await connect(world)
    await beginDay(merchant)
    const id = await snapshot(merchant)
    const before = await everythingOf(merchant)
    await diverge(merchant)
    const after = await everythingOf(merchant)
    await world.sandbox.close()
    appendFileSync(state, '["request",1795251')

    const again = await open(state)
    expect(await everythingOf(again)).toBe(after)
    await restore(await connect(again), id)
    expect(await everythingOf(again)).toBe(before)
    await again.sandbox.close()
  })

  it('a file of the state repeats no error of the sandbox, which standard error has with its stack', async (context) => {
    const said: unknown[] = []
    const { error } = console
    console.error = (...words) => said.push(...words)
    context.onTestFinished(() => void (console.error = error))
    const state = newFile()
    let isBroken = false

    const defective = async () => {
      const timeline = createTimeline({ wall: null, start: START })

      const speed = () => {
        if (isBroken) {
          throw new Error('a defect')
        }
        return timeline.speed()
      }

      const sandbox = await startSandbox({ port: 0, state, timeline: { ...timeline, speed } })
      return { sandbox, timeline, callbacks: [] }
    }

    const world = await defective()
    const { checkout_reference } = await (await connect(world)).begin()
    isBroken = true
    const { status } = await world.sandbox.app.request(`/pay/${checkout_reference}?lang=sw`)
    await world.sandbox.close()
    await (await defective()).sandbox.close()
    expect(status).toBe(500)
    expect(said).toEqual([
      expect.objectContaining({ message: 'a defect', stack: expect.stringContaining('page.tsx') }),
    ])
  })

  it('a file of the state has no line for what changes nothing: queries, and the portal that keeps itself up to date', async () => {
    const state = newFile()
    const world = await open(state, 1)
    const merchant = await connect(world)
    const { checkout_reference } = await merchant.begin()
    const visitor = await signedIn(world.sandbox.app)
    const size = statSync(state).size
    const id = await snapshot(merchant)
    const paths = [
      '/v1/fx?base_currency=KES',
      '/v2/checkout/status/order-1',
      `/pay/${checkout_reference}`,
      '/docs',
    ]
    for (const path of paths) {
      expect((await merchant.get(path, token(merchant))).status).toBe(200)
    }

    const shown = await visitor.ask('/portal/keys', { headers: { 'x-live': '1' } })
    expect(shown.html).toContain('sandbox-key')
    expect(statSync(state).size - size).toBe('["snapshot",1795251600000,0]\n'.length)

    const form = formIn((await visitor.open('/keys')).html, 'create')
    await restore(merchant, id)
    expect(formIn((await visitor.open('/keys')).html, 'create')).toEqual(form)
    await world.sandbox.close()
  })

  it('a file of the state has the tokens of users, and is readable by its owner alone', async () => {
    const state = newFile()
    await (await open(state)).sandbox.close()
    expect(statSync(state).mode & 0o777).toBe(0o600)
  })

  it('a file of the state is refused if it is of something else, or of a sandbox with other options, and stays as it is', async () => {
    const notes = newFile()
    const state = newFile()
    writeFileSync(notes, 'buy milk')
    await expect(open(notes)).rejects.toThrow('is not the state of a sandbox')
    expect(readFileSync(notes, 'utf8')).toBe('buy milk')
    await (await open(state, 1)).sandbox.close()
    await expect(open(state, 2)).rejects.toThrow('of a sandbox with')
  })
})
