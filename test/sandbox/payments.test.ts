import { describe, expect, it } from 'vitest'
import { MINUTE, openMerchant } from './merchant.ts'

const SECOND = 1_000

describe('a customer', () => {
  it('who approves pays the amount, and a callback is sent', async () => {
    const merchant = await openMerchant()
    const { checkout_reference } = await merchant.begin()
    await merchant.later(5 * SECOND)
    const paid = await merchant.pay('approve')
    expect(paid).toEqual({
      amount: '500',
      checkout_reference,
      currency: 'KES',
      merchant_transaction_id: 'order-1',
      narration: 'Two kangas',
      status: 801,
      timestamp: '2026-11-21T09:00:05.000Z',
      payments: [
        {
          event: 'successful_payment',
          amount: '500.00',
          extra_data: {},
          client_code: 'SANDBOX',
          country_code: 'KEN',
          payer_msisdn: '254700000001',
          payment_date: '2026-11-21T09:00:05.000Z',
          service_code: 'CHECKOUT-KES',
          currency_code: 'KES',
          account_number: 'ACC-001',
          payment_status: 700,
          transaction_id: expect.any(String),
          payer_narration: 'The payment was received.',
          charge_request_id: expect.any(String),
          external_reference: 'order-1',
          receiver_narration: 'Two kangas',
          payment_method_code: 'MOMO_KEN',
          payer_transaction_id: expect.stringMatching(/^[0-9A-Z]{10}$/),
          payment_account_reference: '254700000001',
        },
      ],
    })
    expect(await merchant.status()).toEqual(paid)
    await merchant.later(SECOND)
    expect(merchant.callbacks).toMatchObject([{ url: 'http://127.0.0.1:9/callbacks/abc', body: paid }])
  })

  it.each([
    ['insufficient_funds', 'not enough money'],
    ['wrong_pin', 'PIN was wrong'],
    ['cancel', 'cancelled'],
  ])('who fails by %s can try again', async (scenario, reason) => {
    const merchant = await openMerchant()
    await merchant.begin()
    const failed = await merchant.pay(scenario)
    expect(failed).toMatchObject({
      status: 803,
      amount: '0',
      payments: [
        { payment_status: 701, event: 'failed_payment', payer_narration: expect.stringContaining(reason) },
      ],
    })
    await merchant.later(SECOND)
    expect(merchant.callbacks).toMatchObject([{ body: { status: 803 } }])
    expect(await merchant.pay('approve')).toMatchObject({
      status: 801,
      payments: [{ payment_status: 701 }, { payment_status: 700 }],
    })
  })

  it('whose attempts failed before the expiry leaves 803, not 820', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('wrong_pin')
    await merchant.later(31 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: 803 })
  })

  it('who ignores the prompt fails when it times out, with a callback only then', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('ignore')).toMatchObject({
      status: 803,
      payments: [{ payment_status: 703, event: 'pending_payment', receiver_narration: null }],
    })
    await merchant.later(MINUTE - 1)
    expect(merchant.callbacks).toEqual([])
    await merchant.later(SECOND)
    expect(await merchant.status()).toMatchObject({
      status: 803,
      payments: [{ payment_status: 701, payer_narration: 'The prompt timed out.' }],
    })
    expect(merchant.callbacks).toHaveLength(1)
  })

  it('who paid a part can pay the rest', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('partial', { amount: 200 })).toMatchObject({
      status: 802,
      amount: '200',
      payments: [{ amount: '200.00', payment_status: 700 }],
    })
    expect(await merchant.pay('approve')).toMatchObject({
      status: 801,
      amount: '500',
      payments: [{ amount: '200.00' }, { amount: '300.00' }],
    })
    await merchant.later(SECOND)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([802, 801])
  })

  it.each([
    [1, '2'],
    [5, '6'],
    [10, '11'],
    [500, '550'],
    [505, '556'],
  ])('asked for %d, overpays by a tenth, rounded up to a whole unit: %s', async (asked, paid) => {
    const merchant = await openMerchant()
    await merchant.begin({ amount: asked })
    expect(await merchant.pay('overpay')).toMatchObject({ status: 801, amount: paid })
  })

  it('who pays only a part leaves 802', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('partial')).toMatchObject({ amount: '250' })
    await merchant.later(31 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: 802, amount: '250' })
  })

  it('who overpays has paid', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('overpay', { amount: '650.50' })).toMatchObject({
      status: 801,
      amount: '650.50',
      payments: [{ amount: '650.50' }],
    })
  })

  it('on a slow network is pending, then paid, even after the session expired', async () => {
    const merchant = await openMerchant()
    await merchant.begin({ expires_in: 1 })
    await merchant.later(30 * SECOND)
    expect(await merchant.pay('slow')).toMatchObject({ status: 851, payments: [{ payment_status: 706 }] })
    await merchant.later(45 * SECOND)
    expect(await merchant.status()).toMatchObject({ status: 801, timestamp: '2026-11-21T09:01:15.000Z' })
    await merchant.later(SECOND)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([801])
  })

  it('whose jammed payment is played slow is 707, then paid', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('jam')
    expect(await merchant.pay('slow')).toMatchObject({ status: 851, payments: [{ payment_status: 707 }] })
    await merchant.later(45 * SECOND)
    expect(await merchant.status()).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  })

  it('who pays from a bank account waits for a second person to approve', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('ignore', { method: 'BANK' })).toMatchObject({
      status: 803,
      payments: [{ payment_status: 708 }],
    })
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  })

  it('whose payment is jammed stays 850 until the next scenario', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay('jam')).toMatchObject({ status: 850, payments: [{ payment_status: 704 }] })
    await merchant.later(31 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: 850 })
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  })

  it.each([
    ['reverse', 840, 702],
    ['refund', 841, 705],
  ])('who paid gets the money back by %s', async (scenario, status, payment_status) => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay(scenario)).toMatchObject({ status_code: 174 })
    await merchant.pay('approve')
    await merchant.later(48 * 60 * MINUTE)
    expect(await merchant.pay(scenario)).toMatchObject({
      status,
      amount: '0',
      payments: [{ payment_status }],
    })
    await merchant.later(SECOND)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([801, status])
  })

  it('cannot pay what is paid, has ended or has expired', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('approve')
    expect(await merchant.pay('approve')).toMatchObject({ message: 'The checkout is paid in full.' })
    await merchant.pay('refund')
    expect(await merchant.pay('approve')).toMatchObject({ message: expect.stringContaining('given back') })
    await merchant.begin({ merchant_transaction_id: 'order-2', expires_in: 1 })
    await merchant.later(MINUTE)
    expect(await merchant.pay('approve', {}, 'order-2')).toMatchObject({
      message: 'The checkout session has expired.',
    })
  })

  it('answers the open prompt instead of getting a second one', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('ignore')
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
    await merchant.later(2 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  })
})

describe('a magic number', () => {
  it.each([
    ['254700009000', 801, 801],
    ['254700009001', 803, 803],
    ['254700009005', 802, 802],
    ['254700009006', 801, 801],
    ['254700009007', 851, 801],
    ['254700009008', 850, 850],
    ['254700009009', 801, 840],
    ['254700009010', 801, 841],
    ['254712345678', 801, 801],
  ])('%s gives %i at once and %i two minutes later', async (payer_msisdn, atOnce, later) => {
    const merchant = await openMerchant()
    await merchant.begin({ payer_msisdn })
    expect(await merchant.pay(undefined)).toMatchObject({ status: atOnce })
    await merchant.later(2 * MINUTE)
    expect(await merchant.status()).toMatchObject({ status: later })
  })

  it('in the request to pay overrides that of the session', async () => {
    const merchant = await openMerchant()
    await merchant.begin({ payer_msisdn: '254700009001' })
    expect(await merchant.pay(undefined, { msisdn: '+254 711 000 002' })).toMatchObject({
      status: 801,
      payments: [{ payer_msisdn: '254711000002' }],
    })
  })
})

describe('an amount', () => {
  it.each([
    ['partial', 500],
    ['partial', 501],
    ['overpay', 500],
    ['overpay', 1],
    ['partial', 0],
    ['partial', -5],
    ['partial', '1.001'],
    ['partial', 'x'],
    ['partial', 1e300],
  ])('is refused for %s: %s', async (scenario, amount) => {
    const merchant = await openMerchant()
    await merchant.begin()
    expect(await merchant.pay(scenario, { amount })).toMatchObject({
      status_code: 172,
      message: expect.stringContaining('amount'),
    })
    expect(await merchant.status()).toMatchObject({ status: 803, payments: [] })
  })

  it('of one unit can be paid in parts', async () => {
    const merchant = await openMerchant()
    await merchant.begin({ amount: 1 })
    expect(await merchant.pay('partial')).toMatchObject({ status: 802, amount: '0.01' })
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, amount: '1' })
  })
})
