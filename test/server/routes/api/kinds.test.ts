import { describe, expect, test } from 'vitest'

import { DAY, MINUTE } from '../../../../server/transactions/schedule.ts'
import { AIRTIME, airtime } from '../../../support/spec/airtime.ts'
import { CHARGE_DIALECTS } from '../../../support/spec/charge-dialects.ts'
import { createApiWorld } from '../../../support/worlds/api-world.ts'
import { CHARGE } from '../../../support/worlds/chargeable.ts'
import { RELIABLE, DOWN } from '../../../support/worlds/network.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../../../support/worlds/payable.ts'

import type { ChargeDialect } from '../../../../demo/sandbox/index.ts'
import type { PayoutType } from '../../../support/worlds/payable.ts'
import type { WorldOptions } from '../../../support/worlds/world.ts'

interface ApiKind {
  name: string
  world?: WorldOptions
  path: string
  request: object
  reference: string
  row: 'payout' | 'charge' | 'airtime'
  event: string
  post: string
  // With these changes, the server refuses a repeated request.
  change: object
  // The final outcome if the request is lost on its way to the gateway.
  lost: 'succeeded' | 'needs_attention'
  /** How the sandbox returns the money of a completed transaction: a path below `/_sandbox`, and a scenario. */
  back: [path: string, scenario: string, status: number, outcome: string]
}

const payoutKind = (type: PayoutType, event: string, post: string): ApiKind => ({
  name: `a payout of type ${type}`,
  path: PAYOUT_PATHS[type],
  request: PAYOUTS[type],
  reference: 'P-1',
  row: 'payout',
  event,
  post,
  change: { payment_description: 'Something else' },
  lost: 'succeeded',
  back: ['/payouts/P-1/play', 'reverse', 702, 'reversed'],
})

const chargeKind = (charges: ChargeDialect): ApiKind => ({
  name: `a charge, ${charges}`,
  world: { charges },
  path: '/charges',
  request: CHARGE,
  reference: 'C-1',
  row: 'charge',
  event: 'charge',
  post: CHARGE_DIALECTS[charges].path,
  change: { description: 'Something else' },
  lost: 'needs_attention',
  back: ['/checkouts/C-1/pay', 'refund', 841, 'refunded'],
})

const KINDS: ApiKind[] = [
  payoutKind('local', 'payout', '/v1/payouts/initiate'),
  payoutKind('b2b', 'b2b', '/v1/payouts/b2b/initiate'),
  chargeKind('spec'),
  chargeKind('flat'),
  {
    name: 'airtime',
    path: '/airtime',
    request: { ...airtime, recipients: airtime.recipients.slice(0, 1) },
    reference: 'AIRTIME-1',
    row: 'airtime',
    event: 'airtime',
    post: AIRTIME,
    change: { recipients: airtime.recipients },
    lost: 'needs_attention',
    back: ['/airtime/AIRTIME-1/254700000001/play', 'refund', 606, 'refunded'],
  },
]
const listOf = ({ path }: ApiKind) => `/${path.split('/')[1]}`
const oneOf = (kind: ApiKind) => `${listOf(kind)}/${kind.reference}`

async function openShop(kind: ApiKind) {
  const { world, path, request, post, event } = kind
  const shop = await createApiWorld(world)
  await shop.get('/fx?base_currency=KES')
  return {
    ...shop,
    create: async () => (await shop.post(path, request)).body,
    async state() {
      const { body } = await shop.get(oneOf(kind))
      const { payment_status, service_status, status, outcome, settled } = body.recipients?.[0] ?? body
      return { outcome, settled, status: payment_status ?? service_status ?? status }
    },
    sends: () => shop.gatewayRequests().filter((each) => each === `POST ${post}`).length,
    eventTypes: () => shop.types().map((type) => type.replace(`${event}.`, '')),
  }
}

describe.each(KINDS)('$name', (kind) => {
  test('a transaction is created once by many equal requests, and a different request with its reference is refused', async () => {
    const shop = await openShop(kind)
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post(kind.path, kind.request)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    const other = await shop.post(kind.path, { ...kind.request, ...kind.change })
    expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'reference_reused' })
    expect({ sends: shop.sends(), rows: (await shop.rows()).length }).toEqual({ sends: 1, rows: 1 })
  })

  test('a transaction is the same with its fields in another order, and zeros at the end of an amount', async () => {
    const shop = await openShop(kind)
    const nested = kind.row === 'charge' ? { extra_data: { table: '7', waiter: 'B' } } : {}
    const request = { ...kind.request, ...nested }
    const spelled = JSON.parse(JSON.stringify(request), (name, value: unknown) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return Object.fromEntries(Object.entries(value).toReversed())
      }
      return name.endsWith('amount') && !String(value).includes('.') ? `${String(value)}.00` : value
    })
    expect(JSON.stringify(spelled)).toContain('.00"')
    const answers = [await shop.post(kind.path, request), await shop.post(kind.path, spelled)]
    expect(answers.map(({ status }) => status)).toEqual([201, 200])
    expect(shop.sends()).toBe(1)
  })

  test('a transaction is the same under its reference in another case', async () => {
    const shop = await openShop(kind)
    const created = await shop.create()
    const lowerCase = JSON.parse(
      JSON.stringify(kind.request).replace(`"${kind.reference}"`, `"${kind.reference.toLowerCase()}"`),
    )
    expect(lowerCase).not.toEqual(kind.request)
    const again = await shop.post(kind.path, lowerCase)
    expect({ status: again.status, body: again.body }).toMatchObject({
      status: 200,
      body: { created_at: created.created_at },
    })
    expect(JSON.stringify(again.body)).toContain(`"${kind.reference}"`)
    const other = await shop.post(kind.path, { ...lowerCase, ...kind.change })
    expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'reference_reused' })
    expect(shop.sends()).toBe(1)
    const found = await shop.get(oneOf({ ...kind, reference: kind.reference.toLowerCase() }))
    expect(found).toMatchObject({ status: 200, body: { created_at: created.created_at } })
  })

  test('a transaction causes one event, is listed by its outcome, and has a history', async () => {
    const shop = await openShop(kind)
    expect(await shop.create()).toMatchObject({ outcome: 'pending', settled: false })
    await shop.later(10_000)
    expect(await shop.state()).toMatchObject({ outcome: 'succeeded', settled: true })
    expect(shop.eventTypes()).toEqual(['succeeded'])
    expect((await shop.get(`${listOf(kind)}?outcome=succeeded`)).body.items).toHaveLength(1)
    expect((await shop.get(`${listOf(kind)}?outcome=failed`)).body.items).toEqual([])
    const { transactions } = (await shop.get(`/history/${kind.reference}`)).body
    expect(transactions).toMatchObject([{ kind: kind.row, reference: kind.reference, outcome: 'succeeded' }])
    expect(transactions[0].history.length).toBeGreaterThanOrEqual(2)
  })

  test('a transaction is not found under a reference that nobody used', async () => {
    const shop = await createApiWorld()
    const { status, body } = await shop.get(oneOf(kind))
    expect({ status, code: body.code, gatewayRequests: shop.gatewayRequests() }).toEqual({
      status: 404,
      code: `unknown_${kind.row}`,
      gatewayRequests: [],
    })
  })

  test(`a transaction that never arrived is queried three times in two minutes: ${kind.lost}`, async () => {
    const shop = await openShop(kind)
    shop.network.reliability.gateway = DOWN
    expect(await shop.create()).toMatchObject({ outcome: 'sending' })
    shop.network.reliability.gateway = RELIABLE
    await shop.create()
    await shop.later(100_000)
    expect({ sends: shop.sends(), state: await shop.state() }).toMatchObject({
      sends: 0,
      state: { outcome: 'sending' },
    })
    await shop.later(5 * MINUTE)
    expect(await shop.state()).toMatchObject({ outcome: kind.lost })
    await shop.later(DAY)
    expect(shop.sends()).toBe(kind.lost === 'succeeded' ? 1 : 0)
    expect(shop.eventTypes()).toEqual([kind.lost])
  })

  test('a transaction that is returned days later causes an event', async () => {
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
