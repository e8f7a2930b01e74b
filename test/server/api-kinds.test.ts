import { describe, expect, test } from 'vitest'
import type { ApiKind } from '../support/api-kinds.ts'
import { KINDS } from '../support/api-kinds.ts'
import { createApiWorld } from '../support/api-world.ts'
import { RELIABLE, DOWN } from '../support/network.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function openShop({ world, path, request, one, post, event }: ApiKind) {
  const shop = await createApiWorld(world)
  await shop.get('/fx?base_currency=KES')
  return {
    ...shop,
    create: async (fields: object = {}) => (await shop.post(path, { ...request, ...fields })).body,
    async state() {
      const { body } = await shop.get(one)
      const { payment_status, service_status, status, outcome, settled } = body.recipients?.[0] ?? body
      return { outcome, settled, status: payment_status ?? service_status ?? status }
    },
    sends: () => shop.gatewayRequests().filter((each) => each === post).length,
    eventTypes: () => shop.types().map((type) => type.replace(`${event}.`, '')),
  }
}

describe.each(KINDS)('$name', (kind) => {
  test('is created once by many equal requests, and a different request with its reference is refused', async () => {
    const shop = await openShop(kind)
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post(kind.path, kind.request)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    const other = await shop.post(kind.path, { ...kind.request, ...kind.change })
    expect([other.status, other.body.code]).toEqual([409, 'reference_reused'])
    expect([shop.sends(), (await shop.rows()).length]).toEqual([1, 1])
  })

  test('causes one event, is listed by its outcome, and has a history', async () => {
    const shop = await openShop(kind)
    expect(await shop.create()).toMatchObject({ outcome: 'pending', settled: false })
    await shop.later(10_000)
    expect(await shop.state()).toMatchObject({ outcome: 'succeeded', settled: true })
    expect(shop.eventTypes()).toEqual(['succeeded'])
    const [list] = kind.path.split('/', 2).slice(1)
    expect((await shop.get(`/${list}?outcome=succeeded`)).body.items).toHaveLength(1)
    expect((await shop.get(`/${list}?outcome=failed`)).body.items).toEqual([])
    const { transactions } = (await shop.get(`/history/${kind.reference}`)).body
    expect(transactions).toMatchObject([{ kind: kind.row, reference: kind.reference, outcome: 'succeeded' }])
    expect(transactions[0].history.length).toBeGreaterThanOrEqual(2)
  })

  test('is not found under a reference that nobody used', async () => {
    const shop = await createApiWorld()
    const { status, body } = await shop.get(kind.one)
    expect([status, body.code, shop.gatewayRequests()]).toEqual([404, kind.unknown, []])
  })

  test.each(kind.ends)('to …%s ends as the gateway reports, without a callback', async (digits, ...end) => {
    const [status, outcome, settled] = end
    const shop = await openShop(kind)
    shop.network.reliability.callbacks = DOWN
    await shop.create(kind.to(digits))
    await shop.later(8 * HOUR)
    expect(await shop.state()).toMatchObject({ status, outcome, settled })
    expect(shop.eventTypes().at(-1)).toBe(outcome)
    expect(new Set(shop.eventTypes()).size).toBe(shop.eventTypes().length)
  })

  test('whose response was lost is settled by status queries, and never sent twice', async () => {
    const shop = await openShop(kind)
    shop.network.reliability.gateway = { ...RELIABLE, answerLost: 1 }
    expect(await shop.create()).toMatchObject({ outcome: 'sending' })
    shop.network.reliability.gateway = RELIABLE
    await shop.later(10 * MINUTE)
    expect(await shop.state()).toMatchObject({ outcome: kind.answerLost })
    expect(shop.sends()).toBe(1)
  })

  test(`that never arrived is queried three times in two minutes: ${kind.lost}`, async () => {
    const shop = await openShop(kind)
    shop.network.reliability.gateway = DOWN
    expect(await shop.create()).toMatchObject({ outcome: 'sending' })
    shop.network.reliability.gateway = RELIABLE
    await shop.create()
    await shop.later(100_000)
    expect([shop.sends(), await shop.state()]).toMatchObject([0, { outcome: 'sending' }])
    await shop.later(5 * MINUTE)
    expect(await shop.state()).toMatchObject({ outcome: kind.lost })
    await shop.later(DAY)
    expect(shop.sends()).toBe(kind.lost === 'succeeded' ? 1 : 0)
    expect(shop.eventTypes()).toEqual([kind.lost])
  })

  test('that is returned days later causes an event', async () => {
    const [path, scenario, status, outcome] = kind.back
    const shop = await openShop(kind)
    shop.network.reliability.callbacks = DOWN
    await shop.create()
    await shop.later(3 * DAY)
    await shop.control(path, { scenario })
    await shop.later(7 * DAY)
    expect(await shop.state()).toMatchObject({ status, outcome })
    expect(shop.eventTypes()).toEqual(['succeeded', outcome])
  })
})
