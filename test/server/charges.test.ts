import { describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { SplitSettlement } from '../../server/contract/charge.ts'
import { StoreAwayError } from '../../server/store/errors.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../server/transactions/schedule.ts'
import { CHARGE_DIALECTS, DIALECTS } from '../support/spec/charge-dialects.ts'
import { recordedAnswer, recordedPayment } from '../support/spec/recorded-charges.ts'
import {
  changedAt,
  createChargeWorld,
  createReluctantBackend,
  createToldGateway,
  PAGE,
  paying,
  SHARED,
} from '../support/worlds/charge-world.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { BFF, ENVIRONMENT, GATEWAY, SHOP } from '../support/worlds/environment.ts'
import { DOWN } from '../support/worlds/network.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { toldCharge, toldSplits } from '../support/worlds/told-charge.ts'
import { formOf } from '../support/worlds/world.ts'

describe.each(DIALECTS)('a direct charge, %s,', (charges) => {
  const { path } = CHARGE_DIALECTS[charges]

  test('a direct charge is posted, paid, delivered as event, confirmed and split once', async () => {
    const shop = await createChargeWorld({ charges })
    expect(await shop.charge()).toMatchObject({
      external_reference: 'C-1',
      outcome: 'pending',
      settled: false,
      amount: '1000',
      redirect_url: null,
      fulfilment: { stage: 'open', status: null },
      split_settlements: [
        { account: 'PARTNER-001', amount: '600', reason: 'Cloth' },
        { account: 'PARTNER-002', amount: '150.5', reason: 'Delivery' },
        { account: 'PARTNER-FEES', amount: '25', reason: 'Platform fee' },
      ],
    })
    // The first status query follows the callback.
    await shop.later(8_000)
    expect(shop.types()).toEqual(['charge.succeeded'])
    await shop.later(MINUTE)
    expect(await shop.read()).toMatchObject({
      outcome: 'succeeded',
      settled: true,
      status: 801,
      discrepancy: null,
      amount_paid: '1000',
      fulfilment: { stage: 'confirmed', status: 'SUCCESSFUL' },
    })
    expect(shop.types()).toEqual(['charge.succeeded'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares()).toMatchObject(SHARED)
    const { transactions } = await (await shop.api('/history/C-1')).json()
    const told = transactions[0].history.map(({ what }: { what: string }) => what)
    expect(told).toContain('The merchant says SUCCESSFUL: The merchant accepted the event about the payment.')
    expect(told.at(-1)).toBe('The gateway accepted SUCCESSFUL.')
  })

  test('a direct charge uses the configured account, service and client unless it names its own', async () => {
    const shop = await createChargeWorld({ charges, env: { GATEWAY_CLIENT_CODE: 'SANDBOX' } })
    await shop.charge()
    const answer = await shop.api('/charges', { ...CHARGE, external_reference: 'C-2', client_code: 'OTHER' })
    const posted = shop.gatewayExchanges().filter((exchange) => exchange.path === path)
    const [first, second] = posted.map(({ body }) => JSON.parse(body))
    expect(first).toMatchObject({
      account_number: 'ACC-001',
      service_code: 'CHECKOUT-KES',
      client_code: 'SANDBOX',
    })
    expect(second).toMatchObject({ client_code: 'OTHER' })
    expect(await answer.json()).toMatchObject({ outcome: 'failed', refusal: { status_code: 172 } })
  })

  test.each([
    ['254700009002', 'wrong_pin'],
    ['254700009014', 'unknown'],
  ])(
    'a direct charge that %s does not pay has failed, and the event and /api say why: %s',
    async (payer_msisdn, reason) => {
      const shop = await createChargeWorld({ charges })
      expect(await shop.charge({ payer_msisdn })).toMatchObject({ outcome: 'pending', reason: null })
      await shop.later(2 * 60 * MINUTE)
      const failed = { outcome: 'failed', reason }
      expect(shop.delivered).toMatchObject([{ type: 'charge.failed', data: failed }])
      expect(await shop.read()).toMatchObject(failed)
    },
  )
})

test('extra_data reaches the gateway as text, or with the addresses of success and failure', async () => {
  const shop = await createChargeWorld({ charges: 'flat', env: { PARTNER_ACCOUNTS_DYNAMIC: '' } })
  const urls = {
    success_redirect_url: 'https://shop.example/1',
    failed_redirect_url: 'https://shop.example/2',
  }
  await shop.charge({ extra_data: 'table 7' })
  await shop.charge({ external_reference: 'C-2', extra_data: urls })
  const sent = shop.gatewayExchanges().filter(({ path }) => path === CHARGE_DIALECTS.flat.path)
  expect(sent.map(({ body }) => JSON.parse(body).extra_data)).toEqual(['table 7', urls])
})

test('while charges are off, a charge and an order with splits are refused with the reason', async () => {
  const shop = await openShop({ env: { GATEWAY_CHARGE_PATH: '', GATEWAY_CHARGE_STATUS_PATH: '' } })
  shop.order('A-2')
  for (const answer of [await shop.api('/charges', CHARGE), await shop.initiate('A-1')]) {
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 501,
      body: { code: 'charges_off', retryable: false },
    })
  }

  expect((await shop.initiate('A-2')).status).toBe(201)
})

test('a start that leaves paid money held, because nothing accepts events, says so once, and only where charges are on', async () => {
  const heldIn = async (env: Record<string, string>) => {
    const shop = await createChargeWorld({ env })
    await shop.later(HOUR)
    return shop.logged.filter(({ message }) => message.includes('holds the money')).map(({ level }) => level)
  }

  const none = { MERCHANT_WEBHOOK_URL: '', MERCHANT_WEBHOOK_SECRET: '' }
  expect(await heldIn(none)).toEqual(['info'])
  expect(await heldIn({})).toEqual([])
  expect(await heldIn({ ...none, GATEWAY_CHARGE_PATH: '' })).toEqual([])
})

test('a charge that is paid on a page has the URL of the page while it can be paid, and settles like any other', async () => {
  const shop = await createChargeWorld()
  const { redirect_url, expires_at } = await shop.charge(PAGE)
  expect({ redirect_url, expires_at }).toEqual({
    redirect_url: expect.stringContaining('/pay/'),
    expires_at: '2026-11-21T09:30:00.000Z',
  })
  await shop.play('approve')
  await shop.later(MINUTE)
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded', redirect_url: null })
  expect(await shop.shares()).toMatchObject(SHARED)
})

const { pathname } = new URL(createPortalAddress('charges', readConfig(ENVIRONMENT)).url)

test('the callback address of charges leads to the charge or the checkout that the body names', async () => {
  const shop = await createChargeWorld()
  shop.network.reliability.callbacks = DOWN
  shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: 1, reason: 'Cloth' }] })
  const begun = await shop.start('A-1')
  await shop.charge()
  await shop.pay(begun, 'approve')
  await shop.timeline.advance(5_000)
  for (const merchant_transaction_id of ['C-1', begun.merchant_transaction_id]) {
    await shop.ask(pathname, { method: 'POST', body: JSON.stringify({ merchant_transaction_id }) })
    await shop.settle()
  }

  expect(shop.types()).toEqual(['charge.succeeded', 'checkout.paid'])
})

const ALONE = { MERCHANT_WEBHOOK_URL: '' }
const HELD = { 'held/ACC-001': '1000' }

async function paidCharge(fields: object = {}, ms = MINUTE) {
  const shop = await createChargeWorld({ env: ALONE })
  await shop.charge(fields)
  await shop.later(ms)
  return shop
}

describe('a paid charge', () => {
  test('a paid charge is confirmed after the merchant has accepted its event, and not earlier', async () => {
    const backend = createReluctantBackend()
    const shop = await createChargeWorld({ backend: backend.answer })
    await shop.charge()
    await shop.later(10 * MINUTE)
    expect(backend.asked.length).toBeGreaterThan(1)
    expect({ confirmations: shop.confirmations(), shares: await shop.shares() }).toEqual({
      confirmations: [],
      shares: expect.objectContaining(HELD),
    })
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', fulfilment: { stage: 'open' } })

    backend.isWilling = true
    await shop.later(2 * 60 * MINUTE)
    expect(new Set(backend.asked.map(({ id }) => id)).size).toBe(1)
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares()).toMatchObject(SHARED)
  })

  test('a paid charge waits for /acknowledge without a webhook or handler', async () => {
    const shop = await paidCharge({}, DAY)
    expect(shop.confirmations()).toEqual([])
    expect(await shop.acknowledge('SUCCESSFUL')).toEqual({
      status: 200,
      body: {
        stage: 'confirmed',
        status: 'SUCCESSFUL',
        narration: 'Said in a test',
        payment_id: expect.any(String),
        message: 'The service was confirmed: the money has been distributed.',
      },
    })
    expect(await shop.shares()).toMatchObject(SHARED)
  })

  test.each([
    ['SUCCESSFUL', 'FAILED'],
    ['FAILED', 'SUCCESSFUL'],
  ])('a paid charge acknowledged twice as %s is so once, and cannot become %s', async (status, other) => {
    const shop = await paidCharge()
    const first = await shop.acknowledge(status)
    const entries = await shop.ledger()
    await shop.later(MINUTE)
    expect(await shop.acknowledge(status, 'C-1', 'In other words')).toEqual(first)
    const refused = { status: 409, body: { code: 'acknowledged_otherwise' } }
    expect(await shop.acknowledge(other)).toMatchObject(refused)
    expect({ ledger: await shop.ledger(), confirmations: shop.confirmations() }).toEqual({
      ledger: entries,
      confirmations: [status],
    })
  })
})

describe('an acknowledgement is refused', () => {
  test.each([
    ['0001', 1_000, 'is not paid yet'],
    ['9001', MINUTE, 'was never paid'],
    ['9010', 10 * MINUTE, 'was refunded before'],
  ])('an acknowledgement is refused for a charge by …%s that after %i ms %s', async (digits, ms) => {
    const shop = await paidCharge({ payer_msisdn: `25470000${digits}` }, ms)
    const refused = { status: 409, body: { code: 'charge_not_paid' } }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject(refused)
    expect(shop.confirmations()).toEqual([])
  })

  test.each(['SUCCESSFUL', 'FAILED'])(
    'an acknowledgement is refused as not paid, if the gateway refused SUCCESSFUL and the money was returned: %s',
    async (status) => {
      const refusal = { status_code: 174, status_description: 'Not now', message: 'Ask 254700000123.' }
      const shop = await createChargeWorld({
        env: ALONE,
        gateway: (url) =>
          url.endsWith('/acknowledge') ? Response.json(refusal, { status: 422 }) : undefined,
      })
      await shop.charge()
      await shop.later(MINUTE)
      const message = 'The gateway refused POST /transactions/acknowledge: 174 Not now. Ask ***.'
      expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ body: { stage: 'refused', message } })
      await shop.play('refund')
      await shop.later(2 * MINUTE)
      const refused = { status: 409, body: { code: 'charge_not_paid' } }
      expect(await shop.acknowledge(status)).toMatchObject(refused)
      expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'refused', status: 'SUCCESSFUL' } })
    },
  )

  test.each([
    [404, 'C-404', { status: 'SUCCESSFUL', narration: 'x' }, { code: 'unknown_charge' }],
    [422, 'C-1', { status: 'PERHAPS', narration: 'x' }, { errors: [{ path: 'status' }] }],
    [422, 'C-1', { status: 'FAILED' }, { errors: [{ path: 'narration' }] }],
  ])('an acknowledgement is refused with %i: %s, %j', async (status, reference, body, problem) => {
    const shop = await createChargeWorld()
    const answer = await shop.api(`/charges/${reference}/acknowledge`, body)
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: problem })
  })
})

const SPLITS = [
  { account: 'PARTNER-001', amount: '300', reason: 'Cloth' },
  { account: 'PARTNER-002', amount: 50.5, reason: 'Delivery' },
]
const SHARES_OF_500 = {
  'partner/PARTNER-001': '300',
  'partner/PARTNER-002': '50.5',
  'partner/PARTNER-FEES': '25',
  'float/ACC-001': '124.5',
}

async function openShop(options: Parameters<typeof createChargeWorld>[0] = {}) {
  const shop = await createChargeWorld(options)
  shop.order('A-1', '500', { splits: SPLITS })
  return shop
}

describe('an order with splits', () => {
  test('an order with splits is paid on the hosted page, delivered, confirmed and split once; the shopper sees no shares', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    expect(begun).toMatchObject({ order: 'A-1', amount: '500', outcome: 'waiting', status: null })
    expect(begun.redirect_url).toContain('/pay/')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    const view = await shop.status(begun.checkout_id)
    expect(view).toMatchObject({ status: 801, outcome: 'paid', settled: true, discrepancy: null })
    for (const word of ['PARTNER', 'split', 'Cloth', 'fulfilment']) {
      expect(JSON.stringify(view)).not.toContain(word)
    }

    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject(SHARES_OF_500)
    expect(shop.gatewayRequests()).not.toContain('POST /v2/checkout/initiate')
  })

  test.each([
    ['has a hosted page', 'checkout.paid', { redirect_url: `${GATEWAY}/pay/1` }],
    ['has none, and needs a person', 'checkout.needs_attention', {}],
  ])(
    "an order with splits is followed under the gateway's id, if the answer %s: %s",
    async (_, event, page) => {
      let sent: Record<string, unknown> = {}
      const shop = await openShop({
        env: { GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status' },
        gateway(url, { body }) {
          const { external_reference } = sent
          if (url.endsWith('/v1/transaction/22406/status')) {
            return Response.json({ ...recordedPayment, amount: '500', external_reference })
          }
          if (url.endsWith('/acknowledge')) {
            return Response.json({ payment_id: '22406', message: 'Taken.' })
          }
          if (!url.endsWith('/v1/charges')) {
            return undefined
          }

          sent = JSON.parse(body ?? '')
          const named = { external_reference: sent.external_reference, total_amount: '500' }
          return Response.json({ ...recordedAnswer, ...named, ...page })
        },
      })
      const { status } = await shop.initiate('A-1')
      expect(status).toBe('redirect_url' in page ? 201 : 502)
      const returns = { success_redirect_url: expect.any(String), failed_redirect_url: expect.any(String) }
      expect(sent.extra_data).toMatchObject(returns)
      await shop.later(5 * MINUTE)
      expect(shop.types()).toEqual([event])
    },
  )

  test.each([
    ['the request was lost', false, 0],
    ['the answer was lost', true, 0],
    ['the request arrived after its answer had been waited for', true, 12],
  ])(
    'an order with splits is one charge under one reference, and another under another: %s',
    async (_, arrives, seconds) => {
      const sent: string[] = []
      const shop = await openShop({
        // A gateway that takes a repeated request for another charge.
        async gateway(url, init) {
          if (!url.endsWith('/v1/charges')) {
            return undefined
          }

          sent.push(JSON.parse(init.body ?? '').external_reference)
          if (sent.length > 1) {
            return undefined
          }

          await shop.timeline.sleep(seconds * SECOND)
          if (arrives) {
            await shop.sandbox.app.request(url, { ...init, signal: null })
          }
          return new Response(null, { status: 502 })
        },
      })
      const pressed = await shop.initiate('A-1')
      const first = await pressed.json()
      expect({ status: pressed.status, first }).toMatchObject({
        status: 201,
        first: { attempt: 1, outcome: 'waiting' },
      })
      for (const _press of [1, 2, 3]) {
        await shop.later(30 * SECOND)
        const checking = await shop.start('A-1')
        expect(checking).toMatchObject({ checkout_id: first.checkout_id, outcome: 'waiting', settled: false })
        expect(checking).not.toHaveProperty('redirect_url')
      }

      await shop.later(MINUTE)
      expect(await shop.status(first.checkout_id)).toMatchObject({ outcome: 'expired', settled: true })
      const second = await shop.start('A-1')
      expect(second).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
      await shop.pay(second, 'approve')
      await shop.later(MINUTE)
      expect(shop.types()).toEqual(['checkout.paid'])
      expect(sent).toEqual([first.merchant_transaction_id, second.merchant_transaction_id])
    },
  )

  test('an order with splits that is paid late needs a person, like a charge, and shows it to the merchant only', async () => {
    const reports = new Map<string, object>()
    const shop = await createChargeWorld({
      gateway(url) {
        const reference = /charges\/([^/]+)\/status$/.exec(url)?.[1] ?? ''
        const report = reports.get(reference)
        return report && Response.json({ currency: 'KES', merchant_transaction_id: reference, ...report })
      },
    })
    shop.order('A-1', '1000', { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] })
    const begun = await shop.start('A-1')
    await shop.charge({ payment_method_code: undefined })

    const references = ['C-1', begun.merchant_transaction_id]
    for (const reference of references) {
      reports.set(reference, { status: 803, amount: '0', payments: [] })
    }

    await shop.later(25 * HOUR)
    for (const reference of references) {
      const payment = { transaction_id: `of ${reference}`, payment_status: 700, amount: '1000' }
      reports.set(reference, { status: 801, amount: '1000', payments: [payment] })
    }

    await shop.later(7 * 24 * HOUR)

    const waiting = { attention: expect.stringContaining('told of its end'), fulfilment: { stage: 'open' } }
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention', ...waiting })
    const tracked = await (await shop.api('/checkouts/A-1')).json()
    expect(tracked).toMatchObject({ outcome: 'paid', ...waiting })
    expect(await shop.status(begun.checkout_id)).not.toHaveProperty('attention')
    const about = shop.delivered.filter(({ type }) => type.startsWith('checkout.'))
    expect(about.map(({ type }) => type)).toEqual([
      'checkout.unpaid',
      'checkout.needs_attention',
      'checkout.paid_late',
    ])
    expect(about.at(-1)?.data).toMatchObject(waiting)
  })

  test.each([
    { where: 'its callback', named: [true] },
    { where: 'the first entry of a list', named: [true, false] },
    { where: 'the last entry of a list', named: [false, true] },
  ])('an order with splits whose answer was lost is found by the id in $where', async ({ named }) => {
    let reference = ''
    const shop = await openShop({
      env: { GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status' },
      gateway(url, { body }) {
        if (url.endsWith('/v1/transaction/22406/status')) {
          return Response.json({ ...recordedPayment, amount: '500', external_reference: reference })
        }
        if (url.endsWith('/acknowledge')) {
          return Response.json({ payment_id: '22406', message: 'Taken.' })
        }
        if (!url.endsWith('/v1/charges')) {
          return undefined
        }

        reference = JSON.parse(body ?? '').external_reference
        return new Response(null, { status: 502 })
      },
    })
    await shop.initiate('A-1')
    const address = createPortalAddress('charges', readConfig(ENVIRONMENT)).url.slice(BFF.length)
    const entries = named.map((isNamed) => ({
      external_reference: reference,
      ...(isNamed && { charge_request_id: '22406' }),
    }))
    await shop.ask(address, posted(entries.length === 1 ? entries[0]! : entries, {}))
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  })

  test.each([
    [476, 422, { errors: [{ path: 'order.splits', message: expect.stringContaining('come to 501') }] }],
    [-1, 503, { code: 'orders_unavailable' }],
  ])(
    'an order with splits of which one is %d is refused, before anything is sent',
    async (amount, status, problem) => {
      const shop = await openShop()
      shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount, reason: 'Cloth' }] })
      const answer = await shop.initiate('A-1')
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: problem })
      expect(shop.gatewayRequests()).toEqual([])
    },
  )
})

test('a charge with a page has not failed while the payer can try again on it', async () => {
  let payment_status = 703
  const payment = () => ({
    ...recordedPayment,
    external_reference: 'C-1',
    charge_request_id: '22406',
    transaction_id: `T-${payment_status}`,
    amount: '1000',
    currency_code: 'KES',
    payment_status,
  })
  const opened = {
    ...recordedAnswer,
    external_reference: 'C-1',
    charge_request_id: '22406',
    total_amount: '1000',
    redirect_url: `${GATEWAY}/pay/22406`,
    expires_at: '2026-11-21T09:30:00Z',
  }
  const shop = await createChargeWorld({
    charges: 'flat',
    gateway(url, { method }) {
      if (method === 'POST' && url.endsWith(CHARGE_DIALECTS.flat.path)) {
        return Response.json(opened, { status: 201 })
      }
      if (url.endsWith('/acknowledge')) {
        return Response.json({ payment_id: 'T-700', message: 'Paid out.' })
      }
      return url.endsWith('/status') ? Response.json(payment()) : undefined
    },
  })
  await shop.charge(PAGE)
  payment_status = 701
  await shop.later(2 * MINUTE)
  expect(shop.types()).toEqual([])
  payment_status = 700
  await shop.later(10 * MINUTE)
  expect(shop.types()).toEqual(['charge.succeeded'])
})

test('a charge that could not be sent for two minutes is not sent when the merchant repeats it', async () => {
  let isAway = false
  const shop = await createChargeWorld({
    async gateway() {
      if (!isAway) {
        return undefined
      }
      const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      throw new TypeError('fetch failed', { cause })
    },
  })
  await shop.api('/accounts/ACC-001/balance')
  isAway = true
  expect(await shop.charge()).toMatchObject({ outcome: 'sending' })
  await shop.later(10 * MINUTE)
  const before = shop.posts()
  isAway = false
  await shop.charge()
  await shop.later(HOUR)
  expect(shop.posts()).toBe(before)
  expect(await shop.read()).toMatchObject({ outcome: 'failed' })
})

test('a charge of which a part was paid is told to a person once, and is asked about no longer than others that ended', async () => {
  const shop = await createChargeWorld()
  await shop.charge(PAGE)
  await shop.pay({ merchant_transaction_id: 'C-1' }, 'partial', { amount: '400' })
  await shop.later(2 * DAY)
  const attention = 'A part was paid; the rest no longer can be.'
  const ended = { outcome: 'needs_attention', settled: false, attention, amount_paid: '400' }
  expect(await shop.read()).toMatchObject(ended)
  await shop.later(31 * DAY)
  const asked = shop.gatewayRequests().length
  await shop.later(60 * DAY)
  expect(shop.gatewayRequests()).toHaveLength(asked)
  expect(shop.types()).toEqual(['charge.needs_attention'])
  expect(await shop.read()).toMatchObject(ended)

  // The money is still the merchant's to return.
  expect(await shop.acknowledge('FAILED')).toMatchObject({ status: 200 })
  await shop.later(HOUR)
  expect(await shop.read()).toMatchObject({ outcome: 'refunded', settled: true })
})

test('a charge whose answer has an end that cannot be read keeps the id by which it is found', async () => {
  const shop = await createChargeWorld({ charges: 'flat' })
  shop.network.reliability.callbacks = DOWN
  shop.alterAnswers((text) => text.replace('"status_code":176', '"status_code":176,"expires_at":"N/A"'))
  await shop.charge()
  await shop.later(10 * MINUTE)
  expect(shop.types()).toEqual(['charge.succeeded'])
})

test.each(['PARTNER-FEES\uFE0F', 'PARTNER\u3164FEES', 'PARTNER\u2011FEES', 'ＰＡＲＴＮＥＲ-FEES'])(
  'a share for an account that looks like one of PARTNER_ACCOUNTS_DYNAMIC is refused: %j',
  async (account) => {
    const shop = await createChargeWorld()
    const splits = [{ account, amount: 100, reason: 'Cloth' }]
    shop.order('A-1', '500', { splits })
    expect((await shop.initiate('A-1')).status).toBe(503)
    expect(shop.gatewayRequests()).toEqual([])
    const { error } = SplitSettlement.safeParse(splits[0])
    expect(error?.issues[0]).toMatchObject({
      path: ['account'],
      message: expect.stringContaining('must have only printable ASCII characters'),
    })
  },
)

test('a charge under the merchant_transaction_id of a checkout is refused, and nothing is sent', async () => {
  const shop = await openShop()
  const { checkout_id, merchant_transaction_id } = await shop.start('A-1')
  const sent = shop.gatewayRequests().length
  for (const external_reference of [merchant_transaction_id, merchant_transaction_id.toUpperCase()]) {
    const answer = await shop.api('/charges', { ...CHARGE, external_reference })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 409,
      body: { code: 'reference_reused' },
    })
  }

  expect(shop.gatewayRequests()).toHaveLength(sent)
  await shop.pay({ merchant_transaction_id }, 'approve')
  await shop.later(10 * MINUTE)
  expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'paid' })
  expect(shop.types()).toEqual(['checkout.paid'])
  expect(await shop.acknowledge('SUCCESSFUL', merchant_transaction_id)).toMatchObject({ status: 200 })
})

test('a paid order with splits stays paid when the shares of PARTNER_ACCOUNTS_DYNAMIC have changed', async () => {
  const shop = await createChargeWorld()
  shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] })
  await shop.pay(await shop.start('A-1'), 'approve')
  await shop.later(MINUTE)
  const env = { ...ENVIRONMENT, PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=30:Platform fee' }
  const other = shop.replica({ config: readConfig(env) })
  const answer = await other.request('/checkout/initiate', formOf('A-1', {}, { origin: SHOP }))
  expect(await answer.json()).toMatchObject({ outcome: 'paid' })
})

test('what is paid too much for a charge is told, also when it comes later', async () => {
  let count = 1
  const payment = (_: unknown, index: number) => ({
    payment_status: 700,
    amount: '1000',
    transaction_id: `T-${index}`,
    external_reference: 'C-1',
    currency_code: 'KES',
  })
  const shop = await createChargeWorld({
    gateway(url) {
      if (url.endsWith('/acknowledge')) {
        return Response.json({ payment_id: 'T-0', message: 'Paid out.' })
      }
      if (!url.endsWith('/status')) {
        return undefined
      }

      const payments = Array.from({ length: count }, payment)
      const session = { merchant_transaction_id: 'C-1', checkout_reference: 'S-1', currency: 'KES' }
      return Response.json({ ...session, status: 801, amount: String(count * 1000), payments })
    },
  })
  await shop.charge(PAGE)
  await shop.later(10 * MINUTE)
  expect(shop.types()).toEqual(['charge.succeeded'])
  count = 2
  await shop.later(DAY)
  expect(shop.types()).toEqual(['charge.succeeded', 'charge.overpaid'])
  expect(shop.delivered.at(-1)?.data).toMatchObject({ amount_paid: '2000', discrepancy: 'excess' })
})

test('a decision about money that went back is no longer sent, and may have been', async () => {
  let isDown = true
  const shop = await createChargeWorld({
    gateway: (url) =>
      isDown && url.endsWith('/acknowledge') ? new Response(null, { status: 503 }) : undefined,
  })
  await shop.charge()
  await shop.later(MINUTE)
  await shop.play('reverse')
  await shop.later(HOUR)
  const message =
    'The money went back before an answer to the decision arrived. The decision is no longer sent.'
  expect(await shop.read()).toMatchObject({ outcome: 'reversed', fulfilment: { stage: 'refused', message } })
  const before = shop.confirmations().length
  isDown = false
  await shop.later(DAY)
  expect(shop.confirmations()).toHaveLength(before)
})

describe('a decision about a payment that the gateway reports without its id', () => {
  async function paidWithoutId() {
    const shop = await createChargeWorld({ env: ALONE })
    shop.alterAnswers((text) => text.replaceAll('"transaction_id":', '"an_id_of_nobody":'))
    await shop.charge()
    await shop.later(MINUTE)
    return shop
  }

  test('stands, and is sent once the payment has an id', async () => {
    const shop = await paidWithoutId()
    const stored = { status: 202, body: { stage: 'decided', status: 'FAILED', payment_id: null } }
    expect(await shop.acknowledge('FAILED')).toMatchObject(stored)
    const otherwise = { status: 409, body: { code: 'acknowledged_otherwise' } }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject(otherwise)
    await shop.later(HOUR)
    expect(await shop.acknowledge('FAILED')).toMatchObject(stored)
    expect(shop.confirmations()).toEqual([])
    shop.alterAnswers((text) => text)
    await shop.later(HOUR)
    expect(shop.confirmations()).toEqual(['FAILED'])
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', fulfilment: { stage: 'confirmed' } })
  })

  test('is for a person after a day without an id', async () => {
    const shop = await paidWithoutId()
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(DAY - HOUR)
    const before = await shop.read()
    expect(before).toMatchObject({ outcome: 'succeeded', attention: null, fulfilment: { stage: 'decided' } })
    await shop.later(2 * HOUR)
    const attention = expect.stringContaining('could not be delivered for 24 hours')
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention', attention })
    expect(shop.gatewayRequests().length).toBeLessThan(400)
  })
})

test('a confirmation that fails is repeated after pauses, and a person is told', async () => {
  let tries = 0
  const shop = await createChargeWorld({
    gateway(url) {
      if (!url.endsWith('/acknowledge')) {
        return undefined
      }

      tries += 1
      return new Response(null, { status: 503 })
    },
  })
  await shop.charge()
  await shop.later(30 * MINUTE)
  expect(tries).toBeLessThan(60)
  expect(shop.logged.filter(({ message }) => message.includes('a person should look'))).toHaveLength(1)
})

test('a decision that could not be stored is stored with the next delivery', async () => {
  const shop = await createChargeWorld()
  const commit = shop.store.commit.bind(shop.store)
  let refused = 0
  shop.store.commit = async (id, revision, change) => {
    const isDecision = JSON.stringify(change).includes('"stage":"decided"')
    if (isDecision && refused === 0) {
      refused += 1
      throw new StoreAwayError('The store is away for a moment.')
    }
    return commit(id, revision, change)
  }
  await shop.charge()
  await shop.later(HOUR)
  expect({ refused, confirmed: shop.confirmations() }).toEqual({ refused: 1, confirmed: ['SUCCESSFUL'] })
})

describe('a service that the merchant has refused', () => {
  test('is not told as paid when the rest is paid all the same, while FAILED cannot be delivered', async () => {
    let isDown = false
    const shop = await createChargeWorld({
      gateway: (url) =>
        isDown && url.endsWith('/acknowledge') ? new Response(null, { status: 503 }) : undefined,
    })
    await shop.charge(PAGE)
    await shop.play('partial')
    await shop.later(MINUTE)
    isDown = true
    expect(await shop.acknowledge('FAILED')).toMatchObject({ body: { stage: 'decided' } })
    await shop.later(MINUTE)
    await shop.play('approve')
    await shop.later(5 * MINUTE)
    expect(shop.types()).toEqual(['charge.needs_attention'])
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('has refused the service') })
    isDown = false
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['charge.needs_attention', 'charge.refunded'])
  })

  test('is not told as paid once the gateway has taken FAILED about a part, and what is paid later is refused, too', async () => {
    const { told, shop, id } = await toldSplits()
    told.says(802, [paying(700, '400', 'T1')], id)
    await shop.later(5 * MINUTE)
    expect(await shop.acknowledge('FAILED', id)).toMatchObject({ body: { stage: 'confirmed' } })
    told.says(801, [paying(700, '400', 'T1'), paying(700, '600', 'T2')], id)
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['checkout.partial', 'checkout.needs_attention'])
    expect(told.taken).toEqual(['FAILED T1', 'FAILED T2'])
    told.says(841, [paying(705, '400', 'T1'), paying(705, '600', 'T2')], id)
    await shop.later(DAY)
    expect(shop.types().at(-1)).toBe('checkout.refunded')
  })
})

describe('a charge that is paid by several payments', () => {
  const payments = [paying(700, '400', 'T1'), paying(700, '600', 'T2')]

  test('is confirmed for each of them', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, payments)
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
    expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'confirmed', payment_id: 'T2' } })
  })

  test('is confirmed for the rest when its event is accepted, after the service for a part was confirmed', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, payments.slice(0, 1))
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    told.says(801, payments)
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
  })

  test('is not confirmed for an excess by an event from before, delivered again', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500', 'T2')])
    await shop.later(2 * HOUR)
    const [event] = await shop.store.listEvents('sandbox', 0, 10)
    await shop.api(`/events/${event?.id}/replay`, {})
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['charge.succeeded', 'charge.overpaid', 'charge.succeeded'])
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    expect(await shop.acknowledge('FAILED')).toMatchObject({ status: 200 })
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'FAILED T2'])
  })

  test('needs a person when what is paid after a return that the merchant was told of was confirmed in part', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    const left = [paying(700, '600', 'T1')]
    told.says(841, left)
    await shop.later(2 * HOUR)
    told.says(801, [...left, paying(700, '400', 'T2')])
    await shop.later(DAY)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('told of its end') })
  })

  test('needs a person when the payment whose service was confirmed is replaced by another one', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(702, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('another one is held') })
    await shop.acknowledge('SUCCESSFUL')
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  /** A charge whose first payment was confirmed, and which then was paid twice. */
  async function confirmedAndPaidTwice() {
    const { told, shop } = await toldCharge({ env: { RETENTION_DAYS: '31' } })
    told.says(801, [changedAt(1, paying(700, '1000', 'T1'))])
    await shop.later(5 * MINUTE)
    told.says(801, [changedAt(1, paying(700, '1000', 'T1')), changedAt(6, paying(700, '1000', 'T2'))])
    await shop.later(HOUR + 5 * MINUTE)
    return { told, shop }
  }

  test('is refused for the excess alone, also if the confirmed payment changes last', async () => {
    const { told, shop } = await confirmedAndPaidTwice()
    await shop.acknowledge('FAILED')
    told.says(801, [changedAt(70, paying(700, '1000', 'T1')), changedAt(6, paying(700, '1000', 'T2'))])
    await shop.later(DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'FAILED T2'])
  })

  test('needs a person, and is kept, when the confirmed payment is reversed and the other one is held', async () => {
    const { told, shop } = await confirmedAndPaidTwice()
    told.says(801, [changedAt(80, paying(702, '1000', 'T1')), changedAt(6, paying(700, '1000', 'T2'))])
    await shop.later(35 * DAY)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('another one is held') })
    await shop.acknowledge('SUCCESSFUL')
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
  })

  test('is refused for a payment that comes with the refund of the one before', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [changedAt(1, paying(700, '1000', 'T1'))])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('FAILED')
    told.says(801, [changedAt(8, paying(705, '1000', 'T1')), changedAt(6, paying(700, '1000', 'T2'))])
    await shop.later(DAY)
    expect(told.taken).toEqual(['FAILED T1', 'FAILED T2'])
  })

  test('is confirmed for the rest after a part, whatever changed last', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [changedAt(1, paying(700, '400', 'T1'))])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    told.says(801, [changedAt(9, paying(700, '400', 'T1')), changedAt(8, paying(700, '600', 'T2'))])
    await shop.later(DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
  })

  test('is not confirmed for an excess that came before the decision could be delivered', async () => {
    const { told, shop } = await toldCharge()
    told.falls(true)
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(10 * MINUTE)
    told.falls(false)
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
  })

  test('is not confirmed for an excess whose event the backend does not accept', async () => {
    let isWilling = false
    const { told, shop } = await toldCharge({
      backend: ({ type }) =>
        new Response(null, { status: isWilling && type !== 'charge.overpaid' ? 204 : 503 }),
    })
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(2 * HOUR)
    isWilling = true
    await shop.later(3 * HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
  })

  test('has a decision of its own for a payment that was made after one went back', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(841, [paying(705, '1000', 'T1')])
    await shop.later(2 * HOUR)
    told.says(851, [paying(703, '1000', 'T2')])
    await shop.later(2 * HOUR)
    told.says(801, [paying(700, '1000', 'T2')])
    await shop.later(DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    expect(await shop.read()).toMatchObject({ attention: expect.any(String) })
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ status: 200, body: { payment_id: 'T2' } })
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
  })

  test('answers with the decision that it was sent, while another one cannot be delivered', async () => {
    const { told, shop } = await toldCharge()
    told.falls(true)
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500', 'T2')])
    await shop.later(10 * MINUTE)
    const body = { stage: 'decided', status: 'FAILED', payment_id: 'T2' }
    expect(await shop.acknowledge('FAILED')).toMatchObject({ status: 202, body })
    told.falls(false)
    await shop.later(2 * HOUR)
    expect(told.taken.toSorted()).toEqual(['FAILED T2', 'SUCCESSFUL T1'])
  })

  test('ends the alarm about a decision that could not be delivered once its money went back', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500', 'T2')])
    await shop.later(10 * MINUTE)
    told.falls(true)
    await shop.acknowledge('FAILED')
    await shop.laterWithoutServer(DAY)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('could not be delivered') })
    told.says(801, [paying(700, '1000', 'T1'), paying(705, '500', 'T2')])
    await shop.later(DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  test('has its decisions sent also while the gateway does not answer about one of them', async () => {
    const told = createToldGateway()
    const shop = await createChargeWorld({
      gateway: (url, request) =>
        url.endsWith('/acknowledge') && request.body?.includes('"T1"')
          ? new Response(null, { status: 503 })
          : told.answer(url, request),
      backend: () => new Response(null, { status: 503 }),
    })
    await shop.charge(PAGE)
    told.says(801, payments)
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T2'])
  })

  test('has its decision sent while the gateway answers about no other one, and no status', async () => {
    const told = createToldGateway()
    let isAway = false
    const shop = await createChargeWorld({
      backend: () => new Response(null, { status: 503 }),
      gateway(url, request) {
        const isOther = url.endsWith('/acknowledge') && !request.body?.includes('"T3"')
        const isAsked = request.method === 'GET' && url.endsWith('/status')
        return isAway && (isOther || isAsked)
          ? new Response(null, { status: 503 })
          : told.answer(url, request)
      },
    })
    await shop.charge(PAGE)
    told.says(801, [paying(700, '400', 'T1'), paying(700, '300', 'T2'), paying(700, '300', 'T3')])
    await shop.later(5 * MINUTE)
    isAway = true
    await shop.later(2 * HOUR)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(20 * MINUTE)
    expect(told.taken).toEqual(['SUCCESSFUL T3'])
  })
})

describe('the answer to a decision', () => {
  const REFUSAL = { status_code: 174, status_description: 'Generic failure', message: 'Already confirmed' }
  const lost = () => new Response(null, { status: 503 })
  const refused = () => Response.json(REFUSAL, { status: 409 })

  /** A paid charge whose decision is answered so, the last answer again and again. Resolves with what was made of it. */
  async function decide(answers: (() => Response)[], status = 'SUCCESSFUL') {
    const told = createToldGateway()
    let asked = 0
    const shop = await createChargeWorld({
      backend: () => lost(),
      gateway(url, request) {
        if (!url.endsWith('/acknowledge')) {
          return told.answer(url, request)
        }
        asked += 1
        return (answers[asked - 1] ?? answers.at(-1))?.()
      },
    })
    await shop.charge(PAGE)
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge(status)
    await shop.later(2 * HOUR)
    return { stage: (await shop.read()).fulfilment.stage, asked, told, shop }
  }

  test.each(['SUCCESSFUL', 'FAILED'])('is no success with HTTP 200 and an error (%s)', async (status) => {
    expect(await decide([() => Response.json(REFUSAL)], status)).toMatchObject({ stage: 'decided' })
  })

  test.each(['', 'OK', '{}'])(
    'that is %j takes no decision, which is sent less and less often',
    async (text) => {
      const { stage, asked } = await decide([() => new Response(text)])
      expect(stage).toBe('decided')
      expect(asked).toBeLessThan(35)
    },
  )

  test('comes after it is stored that the decision is sent, should the process end before it has the answer', async () => {
    const told = createToldGateway()
    const stored: unknown[] = []
    const shop = await createChargeWorld({
      async gateway(url, request) {
        if (url.endsWith('/acknowledge')) {
          stored.push(...(await shop.rows()).map(({ record }) => record))
        }
        return told.answer(url, request)
      },
    })
    await shop.charge(PAGE)
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    expect(stored).toMatchObject([
      { confirmation: { payments: [{ stage: 'decided', sent_at: expect.any(Number) }] } },
    ])
  })

  test('is a refusal, if nothing was sent before', async () => {
    expect(await decide([refused])).toMatchObject({ stage: 'refused', asked: 1 })
  })

  test('is a refusal after an attempt that certainly was not executed', async () => {
    const limited = () => new Response(null, { status: 429 })
    expect(await decide([limited, limited, refused])).toMatchObject({ stage: 'refused', asked: 3 })
  })

  test('is no refusal after an answer that was lost: the merchant cannot decide otherwise, and a person looks', async () => {
    const { stage, shop } = await decide([lost, refused])
    expect(stage).toBe('decided')
    expect(await shop.acknowledge('FAILED')).toMatchObject({ body: { code: 'acknowledged_otherwise' } })
    await shop.later(DAY)
    expect((await shop.read()).attention).toMatch('could not be delivered')
  })
})
