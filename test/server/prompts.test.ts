import { describe, expect, test } from 'vitest'

import { choosePrompt } from '../../server/checkouts/prompt.ts'
import { readConfig } from '../../server/config/config.ts'
import { MINUTE, SECOND } from '../../server/transactions/schedule.ts'
import { CHARGE_DIALECTS, DIALECTS } from '../support/spec/charge-dialects.ts'
import { createChargeWorld } from '../support/worlds/charge-world.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'

import type { ChargeDialect } from '../../demo/sandbox/index.ts'
import type { WorldOptions } from '../support/worlds/world.ts'

const METHODS = 'MOMO_KEN=MoMo:25470 25471,WAVELET_KEN=Wavelet:25473,MOMO_UGA=MoMo Uganda'
const CHOICE = [
  { code: 'MOMO_KEN', name: 'MoMo' },
  { code: 'WAVELET_KEN', name: 'Wavelet' },
]

type Fields = Record<string, string>

async function openShop(charges: ChargeDialect = 'spec', { env, ...options }: WorldOptions = {}) {
  const world = await createChargeWorld({
    charges,
    env: { GATEWAY_CHARGE_METHODS: METHODS, ...env },
    ...options,
  })
  world.order('A-1')
  const { path } = CHARGE_DIALECTS[charges]
  return {
    ...world,
    request: world.ask,
    ask: (order = 'A-1', fields: Fields = {}) => world.initiate(order, { method: 'prompt', ...fields }),
    prompt: (fields: Fields = {}, order = 'A-1') => world.start(order, { method: 'prompt', ...fields }),
    charges: () =>
      world.gatewayExchanges().flatMap((sent) => (sent.path === path ? [JSON.parse(sent.body)] : [])),
  }
}

const ending = (digits: string) => ({ payer_msisdn: `070000${digits}` })

describe.each(DIALECTS)('a prompt (%s)', (dialect) => {
  test('a prompt is a charge to the operator, has no page, and is paid and acknowledged', async () => {
    const shop = await openShop(dialect)
    const begun = await shop.prompt()
    expect(begun).toMatchObject({ outcome: 'waiting', prompt: { method: 'MOMO_KEN', methods: CHOICE } })
    expect(begun).not.toHaveProperty('redirect_url')
    expect(shop.charges()).toMatchObject([
      {
        external_reference: begun.merchant_transaction_id,
        payment_method_code: 'MOMO_KEN',
        payer_msisdn: '254700000001',
        amount: 500,
        extra_data: { split_settlements: [{ account: 'PARTNER-FEES', amount: 25 }] },
      },
    ])
    await shop.later(MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      outcome: 'paid',
      settled: true,
      status: 801,
    })
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject({ 'partner/PARTNER-FEES': '25' })
  })

  test('a prompt that is not answered has ended when the operator says so, and not before', async () => {
    const shop = await openShop(dialect)
    const begun = await shop.prompt(ending('9003'))
    await shop.later(30 * SECOND)
    for (const again of [await shop.start('A-1'), await shop.prompt()]) {
      expect(again).toMatchObject({ checkout_id: begun.checkout_id, settled: false })
      expect(again).not.toHaveProperty('redirect_url')
    }

    await shop.later(5 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ settled: true, amount_paid: '0' })
    expect(await shop.prompt()).toMatchObject({ attempt: 2, prompt: { method: 'MOMO_KEN' } })
    expect(shop.posts()).toBe(2)
  })
})

// Which words of the gateway give which reason is stated in `contract/checkout`, and what the sandbox says in
// `sandbox/payments`.
test.each(
  DIALECTS.flatMap((dialect) => [
    [dialect, '9011', 'limit_reached'] as const,
    [dialect, '9014', 'unknown'] as const,
  ]),
)(
  'why a payment failed is in the view, the event and /api after a prompt (%s, %s): %s',
  async (dialect, digits, reason) => {
    const shop = await openShop(dialect)
    const begun = await shop.prompt(ending(digits))
    expect(begun.payments.map((payment) => payment.reason)).not.toContain(reason)
    await shop.later(5 * MINUTE)
    const failed = { outcome: 'unpaid', settled: true, payments: [{ status: 701, reason }] }
    const view = await shop.status(begun.checkout_id)
    expect(view).toMatchObject(failed)
    expect(shop.delivered).toMatchObject([{ type: 'checkout.unpaid', data: failed }])
    expect(await (await shop.api('/checkouts/A-1')).json()).toMatchObject(failed)
    for (const text of [JSON.stringify(shop.delivered), JSON.stringify(view)]) {
      expect(text).not.toMatch(/The (PIN|prompt|limit|number|operator) |There was/)
    }
  },
)

test('a page that can be paid is not joined by a prompt', async () => {
  const shop = await openShop()
  const page = await shop.start('A-1')
  const { prompt, ...view } = await shop.prompt()
  expect(view).toMatchObject({ checkout_id: page.checkout_id, redirect_url: page.redirect_url })
  expect(prompt).toEqual({ method: null, methods: CHOICE })
  expect(shop.charges()).toEqual([])
})

const UGANDA = { method: 'MOMO_UGA', methods: [{ code: 'MOMO_UGA', name: 'MoMo Uganda' }] }
const UNKNOWN = {
  errors: [{ path: 'payment_method_code', message: 'must be one of MOMO_KEN, WAVELET_KEN' }],
}
test.each([
  ['KES', '254730000001', undefined, { method: 'WAVELET_KEN', methods: CHOICE }],
  ['KES', '254799000001', undefined, { method: 'MOMO_KEN', methods: CHOICE }],
  // Numbers are portable.
  ['KES', '254700000001', 'WAVELET_KEN', { method: 'WAVELET_KEN', methods: CHOICE }],
  ['KES', '254700000001', 'MOMO_UGA', { evidence: UNKNOWN }],
  ['UGX', '256700000001', undefined, UGANDA],
])('a prompt in %s for %s by %s asks %j', (currency, msisdn, chosen, prompt) => {
  const { charges } = readConfig({ ...ENVIRONMENT, GATEWAY_CHARGE_METHODS: METHODS })
  expect(choosePrompt(charges, { amount: '500', currency }, msisdn, chosen)).toMatchObject(prompt)
})

const BOUNDED =
  'MOMO_KEN=MoMo:25470 dial=*334# least=500.00 greatest=500,WAVELET_KEN=Wavelet:25473 greatest=499.99,AIR_KEN=Air:25474 least=500.01,AWAY_KEN=Away:25475 away'
const ONLY_MOMO = { method: 'MOMO_KEN', methods: [{ code: 'MOMO_KEN', name: 'MoMo', dial: '*334#' }] }

test.each([['0799000001'], ['0700000001']])(
  'only operators that take the amount and are available are guessed and offered (%s)',
  async (payer_msisdn) => {
    const shop = await openShop('spec', { env: { GATEWAY_CHARGE_METHODS: BOUNDED } })
    expect(await shop.prompt({ payer_msisdn })).toMatchObject({ prompt: ONLY_MOMO })
    expect(shop.charges()).toMatchObject([{ payment_method_code: 'MOMO_KEN' }])
  },
)

test.each([
  ['WAVELET_KEN', '0730000001', 'amount_out_of_bounds', 'Wavelet takes no more than KES 499.99 at once.'],
  ['AIR_KEN', '0740000001', 'amount_out_of_bounds', 'Air takes no less than KES 500.01 at once.'],
  ['AWAY_KEN', '0750000001', 'operator_unavailable', 'Away is not available at the moment.'],
])(
  '%s is refused, chosen or by its number %s, before anything is sent',
  async (code, own, problem, detail) => {
    const shop = await openShop('spec', { env: { GATEWAY_CHARGE_METHODS: BOUNDED } })
    for (const fields of [{ payment_method_code: code }, { payer_msisdn: own }]) {
      const answer = await shop.ask('A-1', fields)
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 422,
        body: { code: problem, detail },
      })
    }

    expect(shop.gatewayRequests()).toEqual([])
    // The hosted page remains.
    expect(await shop.start('A-1')).toMatchObject({ redirect_url: expect.any(String) })
  },
)

test('an unknown operator is refused before anything is sent', async () => {
  const shop = await openShop()
  const answer = await shop.ask('A-1', { payment_method_code: 'MOMO_UGA' })
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 422, body: UNKNOWN })
  expect(shop.gatewayRequests()).toEqual([])
})

test.each([{ GATEWAY_CHARGE_METHODS: '' }, { GATEWAY_CHARGE_METHODS: '', GATEWAY_CHARGE_PATH: '' }])(
  'without an operator (%j), a prompt becomes the hosted page, and the answer says so',
  async (env) => {
    const shop = await openShop('spec', { env })
    const view = await shop.prompt()
    expect(view).toMatchObject({ redirect_url: expect.any(String), prompt: { method: null, methods: [] } })
    expect(await shop.status(view.checkout_id)).not.toHaveProperty('prompt')
  },
)

test('a prompt for less than the shares that every charge has becomes the hosted page, and no operator is offered', async () => {
  const shop = await openShop('spec', { env: { PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee' } })
  shop.order('A-2', '24')
  const view = await shop.prompt({}, 'A-2')
  expect(view).toMatchObject({ redirect_url: expect.any(String), prompt: { method: null, methods: [] } })
  expect(shop.charges()).toEqual([])
  shop.order('A-3', '25')
  expect(await shop.prompt({}, 'A-3')).toMatchObject({ prompt: { method: 'MOMO_KEN' } })
})

test('in a currency without an operator nobody is asked', () => {
  const { charges } = readConfig({ ...ENVIRONMENT, GATEWAY_CHARGE_METHODS: METHODS })
  expect(choosePrompt(charges, { amount: '500', currency: 'TZS' }, '255700000001', undefined)).toBeNull()
})

test('a prompt needs the phone number alone, and names the field when it is missing', async () => {
  const shop = await openShop()
  const nobody = { payer_name: '', payer_email: '' }
  const answer = await shop.ask('A-1', { ...nobody, payer_msisdn: '' })
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'payer_msisdn' }] },
  })
  expect(await shop.prompt(nobody)).toMatchObject({ outcome: 'waiting' })
})

describe('a prompt that the gateway refused, and whose payer it asked all the same,', () => {
  const FAILURE = { status_code: 174, status_description: 'Generic failure', message: 'Try again' }
  const UNKNOWN_CHARGE = { status_code: 120, status_description: 'Transaction not found', message: '' }

  async function openRefused() {
    let says: 'refused' | 'paid' | 'away' = 'refused'
    const shop = await openShop('spec', {
      gateway(url, { method }) {
        const [, reference] = /\/charges\/(.+)\/status$/.exec(url) ?? []
        if (reference === undefined) {
          return method === 'POST' && url.endsWith('/charges')
            ? Response.json(FAILURE, { status: 400 })
            : undefined
        }
        if (says === 'away') {
          return new Response(null, { status: 503 })
        }
        if (says === 'refused') {
          return Response.json(UNKNOWN_CHARGE, { status: 404 })
        }

        const payments = [{ transaction_id: 'T1', payment_status: 700, amount: '500' }]
        const report = { merchant_transaction_id: reference, currency: 'KES', status: 801, amount: '500' }
        return Response.json({ ...report, payments })
      },
    })
    await shop.ask()
    await shop.later(6 * MINUTE)
    return { shop, say: (next: typeof says) => void (says = next) }
  }

  test('is asked about before the next press opens another way to pay', async () => {
    const { shop, say } = await openRefused()
    say('paid')
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'paid' })
    expect(shop.charges()).toHaveLength(1)
  })

  test('lets no other begin while the gateway does not answer about it', async () => {
    const { shop, say } = await openRefused()
    say('away')
    const answer = await shop.ask()
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 503,
      body: { code: 'gateway_unavailable', retryable: true },
    })
    expect(shop.charges()).toHaveLength(1)
  })
})

describe('a prompt that was never sent, because the gateway gave no token,', () => {
  async function openUnsent() {
    let isDown = true
    const shop = await openShop('spec', {
      gateway: (url) => (isDown && url.endsWith('/auth') ? new Response(null, { status: 503 }) : undefined),
    })
    expect((await shop.ask('A-1', { payer_msisdn: '0711111111' })).status).toBe(503)
    isDown = false
    return shop
  }

  test('a prompt that was never sent for lack of a token rings no phone that the shopper has corrected', async () => {
    const shop = await openUnsent()
    await shop.later(20 * SECOND)
    await shop.prompt()
    await shop.later(5 * MINUTE)
    expect(shop.charges()).toMatchObject([{ payer_msisdn: '254700000001' }])
  })

  test('a prompt that was never sent for lack of a token rings no phone once the shopper has chosen the page', async () => {
    const shop = await openUnsent()
    expect(await shop.start('A-1')).toMatchObject({ redirect_url: expect.any(String) })
    await shop.later(5 * MINUTE)
    expect(shop.charges()).toEqual([])
  })

  test('a prompt that was never sent for lack of a token is sent when it is asked for again as before', async () => {
    const shop = await openUnsent()
    expect(await shop.prompt({ payer_msisdn: '0711111111' })).toMatchObject({ attempt: 1 })
    expect(shop.charges()).toMatchObject([{ payer_msisdn: '254711111111' }])
  })
})
