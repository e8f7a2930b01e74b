import { describe, expect, test } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { signOrder } from '../../../server/index.ts'
import { ordersByFunction } from '../../../server/orders/sources.ts'
import { BFF } from '../../support/worlds/environment.ts'
import { createWorld, START } from '../../support/worlds/world.ts'

import type { OrderInput } from '../../../server/orders/order.ts'
import type { WorldOptions } from '../../support/worlds/world.ts'

const ORDER: OrderInput = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }

describe('the fields of an order', () => {
  const clock = createTimeline({ wall: null, start: START })

  test.each<[string, object]>([
    ['amount', { amount: '1,500' }],
    ['amount', { amount: '25.000' }],
    ['amount', { amount: '25.000', currency: 'UGX' }],
    ['amount', { amount: '1500.005' }],
    ['amount', { amount: 2 ** 53 }],
    ['currency', { currency: 'kes' }],
    ['currency', { currency: undefined }],
    ['narration', { narration: ' ' }],
    ['order', { order: ' ' }],
    ['account', { account: 'x'.repeat(51) }],
    ['service', { service: 'x'.repeat(33) }],
    ['payer.email', { payer: { email: 7 } }],
    ['payer', { payer: 'Asha Otieno' }],
    ['splits\\[0\\]', { splits: ['PARTNER-001'] }],
    ['return_url', { return_url: 'javascript:alert(1)' }],
    ['return_url', { return_url: `https://shop.example/${'x'.repeat(2_000)}` }],
  ])('orders from a function with a wrong %s are refused by its name', async (field, wrong) => {
    const resolution = await ordersByFunction(() => ({ ...ORDER, ...wrong }), clock)('A-1')
    expect(resolution).toMatchObject({ kind: 'refused', code: 'orders_unavailable' })
    const named = expect.stringMatching(new RegExp(`: ${field} (must|is required)[^;]*$`))
    expect(resolution).toHaveProperty('reason', named)
  })

  test.each(['.', '..'])('orders from a function may not be %j, which no path can have', async (order) => {
    const resolution = await ordersByFunction(() => ({ ...ORDER, order }), clock)('A-1')
    expect(resolution).toMatchObject({
      code: 'orders_unavailable',
      reason: expect.stringContaining('order must'),
    })
  })

  test.each<[field: string, meant: string, fields: object]>([
    ['split', 'splits', { split: [] }],
    ['Splits', 'splits', { splits: null, Splits: [] }],
    ['spilts', 'splits', { spilts: [] }],
    ['acount', 'account', { acount: 'ACC-002' }],
    ['serviceX', 'service', { serviceX: 'CHECKOUT-KES' }],
    ['returnUrl', 'return_url', { returnUrl: 'https://shop.example/thanks' }],
    ['["return-url"]', 'return_url', { 'return-url': 'https://shop.example/thanks' }],
    ['payer.Name', 'name', { payer: { Name: 'Asha Otieno' } }],
    ['payer.misdn', 'msisdn', { payer: { misdn: '254700000001' } }],
    ['splits[0].Reason', 'reason', { splits: [{ account: 'PARTNER-001', amount: 1, Reason: 'Cloth' }] }],
  ])(
    'orders from a function with the misspelt field %s are refused by its name',
    async (field, meant, fields) => {
      const find = () => Object.assign({ ...ORDER }, fields)
      expect(await ordersByFunction(find, clock)('A-1')).toMatchObject({
        code: 'orders_unavailable',
        detail: 'The order cannot be looked up at the moment.',
        reason: expect.stringContaining(`: ${field} is not known here: did you mean ${meant}`),
      })
    },
  )

  test('orders from a function may be rows of a database, whose other fields are ignored', async () => {
    const row = { _id: 7, id: 7, created_at: new Date(START), payee: 'Juma', buyer: 3, count: 2, discount: 0 }
    const beside = { account: 'ACC-001', accounts: 2, orders: 1, Split: undefined }
    const payer = { id: 4, phone: '0700000001', name: 'Asha Otieno' }
    const find = () => Object.assign({ ...ORDER, payer }, row, beside)
    const order = { ...ORDER, account: 'ACC-001', payer: { name: 'Asha Otieno' } }
    expect(await ordersByFunction(find, clock)('A-1')).toEqual({ kind: 'order', order, isNewest: true })
  })

  test('orders from a function may have null in optional fields', async () => {
    const nothing = { account: null, service: null, splits: null, return_url: null }
    const find = () => ({ ...ORDER, ...nothing, payer: { name: 'Asha Otieno', email: null, msisdn: null } })
    const order = { ...ORDER, payer: { name: 'Asha Otieno' } }
    expect(await ordersByFunction(find, clock)('A-1')).toEqual({ kind: 'order', order, isNewest: true })
  })
})

test.each([
  ['orders_unavailable', '1,500', "The merchant's order cannot be used: amount must be a decimal number."],
  ['amount_not_whole', '1.5', 'The gateway takes whole units of KES, and the amount 1.5 has a fraction.'],
])('%s, which only the shop can correct, is logged as a warning', async (code, amount, message) => {
  const shop = await createWorld()
  shop.order('A-1', amount)
  await expect(shop.start('A-1')).rejects.toThrow(code)
  const facts = expect.objectContaining({ code, route: '/checkout/initiate' })
  expect(shop.logged).toContainEqual({ level: 'warn', facts, message })
})

/** A shop, and what its gateway was sent to start checkouts. */
async function openShop(options: WorldOptions = {}) {
  const sent: unknown[] = []
  const shop = await createWorld({
    ...options,
    gateway: (_, { body = '' }) => {
      if (body.includes('payer_msisdn')) {
        sent.push(JSON.parse(body))
      }
      return undefined
    },
  })
  return { shop, sent }
}

describe('words that are too long for the gateway', () => {
  const FITTING = 'x'.repeat(255)
  const SIGNING = 'a signing key of at least 32 bytes, for a test'

  test('a narration and the reason of a share are shortened to 255 whole characters', async () => {
    const clock = createTimeline({ wall: null, start: START })
    const given = `${'x'.repeat(252)} 😀😀`
    const find = () => ({
      ...ORDER,
      narration: given,
      splits: [{ account: 'PARTNER-001', amount: 1, reason: `${FITTING}y` }],
    })
    expect(await ordersByFunction(find, clock)('A-1')).toMatchObject({
      order: { narration: given, splits: [{ reason: `${'x'.repeat(254)}…` }] },
    })
    const longer = () => ({ ...ORDER, narration: `${given}😀` })
    expect(await ordersByFunction(longer, clock)('A-1')).toMatchObject({
      order: { narration: `${'x'.repeat(252)} 😀…` },
    })
  })

  test('an order with a long narration is started once, with what fits', async () => {
    const { shop, sent } = await openShop()
    const narration = 'Kanga, '.repeat(40)
    shop.order('A-1', '1500', { narration })
    const first = await shop.start('A-1')
    expect(await shop.start('A-1')).toMatchObject({ checkout_id: first.checkout_id })
    expect(sent).toMatchObject([{ narration: `${narration.slice(0, 254).trimEnd()}…` }])
  })

  test('the shortened reason of a share is the same term at each start', async () => {
    const shop = await createWorld({ env: { GATEWAY_CHARGE_PATH: '/v1/charges' } })
    const splits = [{ account: 'PARTNER-001', amount: 100, reason: `${FITTING}y` }]
    shop.order('A-1', '1500', { splits })
    const first = await shop.start('A-1')
    expect(await shop.start('A-1')).toMatchObject({ checkout_id: first.checkout_id })
  })

  test('a signed order with a long narration is paid, too', async () => {
    const { shop, sent } = await openShop({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: SIGNING } })
    const order = await signOrder(
      { ...ORDER, narration: `${FITTING}y` },
      { key: SIGNING, audience: BFF, issuedAt: START / 1_000, lifetime: 3_600 },
    )
    const first = await shop.start(order)
    expect(await shop.start(order)).toMatchObject({ checkout_id: first.checkout_id })
    expect(sent).toMatchObject([{ narration: `${'x'.repeat(254)}…` }])
  })
})

describe('the payer of an order', () => {
  const NOTHING = { payer_name: '', payer_email: '', payer_msisdn: '' }
  const PAYER = { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '0700000001' }

  test.each<[field: 'name' | 'email' | 'msisdn', value: string]>([
    ['msisdn', '0700000001 / 0711000002 (wife)'],
    ['name', 'Cooperative '.repeat(10)],
    ['email', `${'asha'.repeat(25)}@example.com`],
  ])(
    "a payer's %s that is too long is asked for, and the log names the field alone",
    async (field, value) => {
      const { shop, sent } = await openShop()
      shop.order('A-1', '1500', { payer: { ...PAYER, [field]: value } })
      const asked = await shop.initiate('A-1', NOTHING)
      expect(await asked.json()).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: `payer_${field}`, message: 'is required' }],
      })
      expect(shop.logged).toContainEqual({
        level: 'warn',
        facts: { order: 'A-1' },
        message: expect.stringMatching(`^payer.${field} of this order is too long`),
      })
      expect(JSON.stringify(shop.logged)).not.toContain(value.slice(0, 20))

      await shop.start('A-1', { ...NOTHING, [`payer_${field}`]: PAYER[field] })
      expect(sent).toMatchObject([{ payer_name: PAYER.name, payer_email: PAYER.email }])
    },
  )

  test("a payer's details that are blank are asked for", async () => {
    const shop = await createWorld()
    shop.order('A-1', '1500', { payer: { name: ' ', email: '', msisdn: '' } })
    const asked = await shop.initiate('A-1', NOTHING)
    expect(await asked.json()).toMatchObject({
      errors: [{ path: 'payer_name' }, { path: 'payer_email' }, { path: 'payer_msisdn' }],
    })
    expect(await shop.start('A-1')).toMatchObject({ amount: '1500' })
  })
})

describe('the price', () => {
  test.each(['1500.0', '1500.00', '1500.0000', '1500.00000000'])(
    'the price of a decimal column, %s, is 1500',
    async (amount) => {
      const shop = await createWorld()
      shop.order('A-1', amount)
      expect(await shop.start('A-1')).toMatchObject({ amount: '1500' })
    },
  )

  test('the price never comes from the request, and may have a fraction of zeros', async () => {
    const shop = await createWorld()
    shop.order('A-1', '1500.00')
    const begun = await shop.start('A-1', { amount: '1', currency: 'UGX', price: '1', 'order.amount': '1' })
    expect(begun).toMatchObject({ amount: '1500', currency: 'KES' })
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'paid', amount_paid: '1500' })
  })

  test.each([
    // Fractions are refused instead of rounded.
    ...['10.5', '0.01', 0.5].map(
      (amount) => [amount, { code: 'amount_not_whole', retryable: false }] as const,
    ),
    ['99999999999999999', { code: 'invalid_request', errors: [{ path: 'order.amount' }] }] as const,
  ])('the price is never %s', async (amount, problem) => {
    const shop = await createWorld()
    shop.order('A-1', amount)
    const answer = await shop.initiate('A-1')
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 422, body: problem })
    expect(shop.gatewayRequests()).toEqual([])
  })

  test.each(['0', '-5', '0.00'])(
    'the price of an order is more than zero, or the order cannot be read: %s',
    async (amount) => {
      const shop = await createWorld()
      shop.order('A-1', amount)
      const answer = await shop.initiate('A-1')
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 503,
        body: { code: 'orders_unavailable' },
      })
      expect(shop.gatewayRequests()).toEqual([])
    },
  )
})
