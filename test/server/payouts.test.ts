import { describe, expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { PAYOUT_PATHS, PAYOUTS, RECIPIENT } from '../support/payable.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const TYPES = ['local', 'transfer', 'b2b'] as const
const PREFIX = { local: 'payout', transfer: 'payout', b2b: 'b2b' }

describe.each(TYPES)('%s', (type) => {
  const to = (digits: string) => ({ [RECIPIENT[type]]: `25470000${digits}` })
  const sends = (shop: { gatewayRequests(): string[] }) =>
    shop.gatewayRequests().filter((request) => request.startsWith('POST') && request.endsWith('/initiate'))

  test('is accepted, paid out, and told once', async () => {
    const shop = await createWorld()
    const begun = await shop.payOut(type)
    expect(begun).toMatchObject({ payout_reference: 'P-1', type, outcome: 'pending', response_code: 720 })
    await shop.later(10_000)
    expect(await shop.payout('P-1')).toMatchObject({
      outcome: 'succeeded',
      settled: true,
      payment_status: 700,
    })
    expect(shop.types()).toEqual([`${PREFIX[type]}.succeeded`])
  })

  test.each([
    ['9101', 701, 'failed', true],
    ['9008', 704, 'needs_attention', false],
    ['9009', 702, 'reversed', true],
    ['9010', 705, 'refunded', true],
  ])('ends as the gateway says, without a callback: %s', async (digits, payment_status, outcome, settled) => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    await shop.payOut(type, to(digits))
    await shop.later(2 * 60 * MINUTE)
    expect(await shop.payout('P-1')).toMatchObject({ payment_status, outcome, settled })
    expect(shop.types().at(-1)).toBe(`${PREFIX[type]}.${outcome}`)
    expect(new Set(shop.types()).size).toBe(shop.types().length)
  })

  test('is pending while a slow operator works', async () => {
    const shop = await createWorld()
    await shop.payOut(type, to('9007'))
    await shop.later(20_000)
    expect(await shop.payout('P-1')).toMatchObject({
      payment_status: 703,
      outcome: 'pending',
      settled: false,
    })
    await shop.later(5 * MINUTE)
    expect(await shop.payout('P-1')).toMatchObject({ payment_status: 700, outcome: 'succeeded' })
  })

  test.each([
    ['9102', 'INSUFFICIENT_BALANCE'],
    ['9103', 'SERVICE_NOT_ALLOWED'],
    ['9104', 'INVALID_ACCESS_TOKEN'],
    ['9105', 'INVALID_DESTINATION_TYPE'],
    ['9106', 'INVALID_PHONE_NUMBER'],
    ['9107', 'INVALID_PAYMENT_METHOD'],
    ['9108', 'INVALID_WALLET'],
    ['9109', 'UNAUTHORIZED'],
    ['9110', 'RESOURCE_NOT_FOUND'],
    ['9112', 'FAILED'],
  ])('is rejected with its reason: %s', async (digits, error_code) => {
    const shop = await createWorld()
    const begun = await shop.payOut(type, to(digits))
    expect(begun).toMatchObject({ outcome: 'failed', settled: true, response_code: 721, error_code })
    await shop.later(10 * MINUTE)
    expect(shop.types()).toEqual([`${PREFIX[type]}.failed`])
  })

  test('needs a person when the gateway calls it a duplicate and does not know it', async () => {
    const shop = await createWorld()
    await shop.payOut(type, to('9111'))
    await shop.later(10 * MINUTE)
    expect(await shop.payout('P-1')).toMatchObject({ outcome: 'needs_attention', settled: false })
    expect(shop.types()).toEqual([`${PREFIX[type]}.needs_attention`])
    expect(sends(shop)).toHaveLength(1)
  })

  test('is the same payout when it is asked for again, and refused when it differs', async () => {
    const shop = await createWorld()
    const body = PAYOUTS[type]
    const answers = await Promise.all([1, 2, 3].map(() => shop.api(PAYOUT_PATHS[type], body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    const other = await shop.api(PAYOUT_PATHS[type], { ...body, payment_description: 'Something else' })
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({ code: 'reference_reused' })
    expect(sends(shop)).toHaveLength(1)
  })

  test('whose answer was lost is settled by asking, and never sent twice', async () => {
    const shop = await createWorld()
    shop.network.weather.gateway = { ...CALM, answerLost: 1 }
    expect(await shop.payOut(type)).toMatchObject({ outcome: 'sending', response_code: null })
    shop.network.weather.gateway = CALM
    await shop.later(10 * MINUTE)
    expect(await shop.payout('P-1')).toMatchObject({ outcome: 'succeeded' })
    expect(sends(shop)).toHaveLength(1)
  })

  test('that never arrived is sent again only after it was asked about three times over two minutes', async () => {
    const shop = await createWorld()
    await shop.api('/fx?base_currency=KES')
    shop.network.weather.gateway = DOWN
    expect(await shop.payOut(type)).toMatchObject({ outcome: 'sending' })
    shop.network.weather.gateway = CALM
    await shop.later(100_000)
    expect(sends(shop)).toHaveLength(0)
    await shop.later(5 * MINUTE)
    expect(sends(shop)).toHaveLength(1)
    expect(await shop.payout('P-1')).toMatchObject({ outcome: 'succeeded' })
  })

  test('that comes back days later is told', async () => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    await shop.payOut(type)
    await shop.later(3 * DAY)
    await shop.control('/payouts/P-1/play', { scenario: 'reverse' })
    await shop.later(7 * DAY)
    expect(await shop.payout('P-1')).toMatchObject({ payment_status: 702, outcome: 'reversed' })
    expect(shop.types()).toEqual([`${PREFIX[type]}.succeeded`, `${PREFIX[type]}.reversed`])
  })
})

test('one reference is one payout, whatever its type', async () => {
  const shop = await createWorld()
  await shop.payOut('local')
  expect((await shop.api('/payouts/b2b', PAYOUTS.b2b)).status).toBe(409)
})

test('rates and balance come from the gateway', async () => {
  const shop = await createWorld()
  expect(await (await shop.api('/fx?base_currency=KES')).json()).toMatchObject({ base_currency: 'KES' })
  expect(await (await shop.api('/accounts/ACC-001/balance')).json()).toMatchObject({ currency: 'KES' })
})
