import { describe, expect, it } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { SECOND, openChargeMerchant } from './charge-merchant.ts'
import { MINUTE } from './merchant.ts'

describe('the money of a charge', () => {
  it('is held until the service is confirmed', async () => {
    const merchant = await openChargeMerchant()
    await merchant.paid()
    expect(await merchant.held('held/ACC-001/KES')).toBe('1500.00')
    expect(await merchant.held('float/ACC-001/KES')).toBe('1000000.00')
  })

  it('is distributed to partners and merchant on SUCCESSFUL', async () => {
    const merchant = await openChargeMerchant()
    const payment_id = await merchant.paid()
    const answer = await merchant.confirm(payment_id)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      payment_id,
      message: 'The service was confirmed: the money has been distributed.',
    })
    expect((await merchant.ledger()).entries.at(-1)).toEqual({
      what: 'charge distributed',
      reference: 'ORDER-7731',
      at: '2026-11-21T09:00:05.000Z',
      lines: [
        { account: 'held/ACC-001/KES', amount: '-1000.00' },
        { account: 'partner/PARTNER-001/KES', amount: '1000.00' },
        { account: 'held/ACC-001/KES', amount: '-250.50' },
        { account: 'partner/PARTNER-002/KES', amount: '250.50' },
        { account: 'held/ACC-001/KES', amount: '-20.00' },
        { account: 'partner/PARTNER-FEES/KES', amount: '20.00' },
        { account: 'held/ACC-001/KES', amount: '-229.50' },
        { account: 'float/ACC-001/KES', amount: '229.50' },
      ],
    })
    expect(await merchant.held('held/ACC-001/KES')).toBe('0.00')
    expect(await merchant.status()).toMatchObject({ status: 801, payments: [{ payment_status: 700 }] })
  })

  it('goes to the merchant alone without shares', async () => {
    const merchant = await openChargeMerchant()
    const payment = await merchant.paid({ extra_data: undefined })
    expect((await merchant.confirm(payment)).status).toBe(200)
    expect(await merchant.held('float/ACC-001/KES')).toBe('1001500.00')
  })

  it('is the received money less the transaction charge', async () => {
    const merchant = await openChargeMerchant()
    const payment = await merchant.paid({ payer_msisdn: '254700009006', add_transaction_charge: true })
    expect(await merchant.held('held/ACC-001/KES')).toBe('1667.00')
    await merchant.confirm(payment)
    expect(await merchant.held('fees/KES')).toBe('15.00')
    expect(await merchant.held('float/ACC-001/KES')).toBe('1000381.50')
  })

  it('returns to the payer on FAILED', async () => {
    const merchant = await openChargeMerchant()
    const payment_id = await merchant.paid({ add_transaction_charge: true })
    const answer = await merchant.confirm(payment_id, 'FAILED')
    expect(await answer.json()).toEqual({
      payment_id,
      message: 'The service failed: the money has gone back to the payer.',
    })
    expect(await merchant.status()).toMatchObject({ status: 841, payments: [{ payment_status: 705 }] })
    expect(await merchant.held('customers/KES')).toBe('0.00')
    expect(await merchant.held('float/ACC-001/KES')).toBe('1000000.00')
    await merchant.later(SECOND)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([801, 841])
  })
})

describe('a confirmation', () => {
  it.each(['SUCCESSFUL', 'FAILED'])('repeated as %s moves no money again', async (status) => {
    const merchant = await openChargeMerchant()
    const payment = await merchant.paid()
    const first = await (await merchant.confirm(payment, status)).json()
    const { entries } = await merchant.ledger()
    await merchant.later(MINUTE)
    const again = await merchant.confirm(payment, status, 'In other words')
    expect(again.status).toBe(200)
    expect(await again.json()).toEqual(first)
    expect((await merchant.ledger()).entries).toEqual(entries)
  })

  it.each([
    ['SUCCESSFUL', 'FAILED'],
    ['FAILED', 'SUCCESSFUL'],
  ])('%s cannot be changed to %s', async (said, other) => {
    const merchant = await openChargeMerchant()
    const payment = await merchant.paid()
    await merchant.confirm(payment, said)
    const { entries } = await merchant.ledger()
    const answer = await merchant.confirm(payment, other)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      message: `The service was already confirmed as ${said}.`,
    })
    expect((await merchant.ledger()).entries).toEqual(entries)
  })

  it('of an unknown payment or of a checkout payment is 120', async () => {
    const merchant = await openChargeMerchant()
    await merchant.begin()
    const { payments } = await merchant.pay('approve', {}, 'order-1')
    for (const id of ['nobody', payments[0].transaction_id]) {
      const answer = await merchant.confirm(id)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({
        status_code: 120,
        status_description: 'Transaction not found',
        message: `No transaction has the payment_id "${id}".`,
      })
    }
  })

  it.each([
    ['0001', 1 * SECOND, 'The payment is prompted; only a received one can be confirmed.'],
    ['9001', 5 * SECOND, 'The payment is failed; only a received one can be confirmed.'],
    ['9007', 5 * SECOND, 'The payment is processing; only a received one can be confirmed.'],
    ['9008', 5 * SECOND, 'The payment is jammed; only a received one can be confirmed.'],
    ['9009', 2 * MINUTE, 'The payment was reversed before the service was confirmed.'],
    ['9010', 2 * MINUTE, 'The payment was refunded before the service was confirmed.'],
  ])('of a payment by the magic number %s after %i ms is refused', async (digits, ms, message) => {
    const merchant = await openChargeMerchant()
    await merchant.charge({ payer_msisdn: `25470000${digits}` })
    await merchant.later(ms)
    const { payments } = await merchant.status()
    const { entries } = await merchant.ledger()
    for (const status of ['SUCCESSFUL', 'FAILED']) {
      const answer = await merchant.confirm(payments[0].transaction_id, status)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ status_code: 174, message })
    }
    expect((await merchant.ledger()).entries).toEqual(entries)
  })

  it('is refused while another attempt is open, and ends the charge', async () => {
    const merchant = await openChargeMerchant()
    await merchant.redirect({ payer_msisdn: '254700009003' })
    const { payments } = await merchant.pay('partial', { amount: 500 }, 'ORDER-7732')
    const [{ transaction_id: payment }] = payments
    await merchant.pay(undefined, {}, 'ORDER-7732')
    expect(await (await merchant.confirm(payment)).json()).toMatchObject({
      message: 'Another payment of the charge is still open.',
    })
    await merchant.later(MINUTE)
    expect((await merchant.confirm(payment)).status).toBe(200)
    expect(await merchant.pay('approve', {}, 'ORDER-7732')).toMatchObject({
      message: 'The charge was confirmed.',
    })
    expect(await merchant.status('ORDER-7732')).toMatchObject({ status: 802, amount: '500' })
  })

  it('applies to all payments of the charge, whichever it names', async () => {
    const merchant = await openChargeMerchant()
    await merchant.redirect()
    await merchant.pay('partial', { amount: 500 }, 'ORDER-7732')
    const { payments } = await merchant.pay('approve', {}, 'ORDER-7732')
    const [first, second] = payments.map((payment: { transaction_id: string }) => payment.transaction_id)
    await merchant.confirm(first)
    expect(await merchant.held('float/ACC-001/KES')).toBe('1001500.00')
    expect((await merchant.confirm(second)).status).toBe(200)
    expect((await merchant.confirm(second, 'FAILED')).status).toBe(409)
    expect(await merchant.held('float/ACC-001/KES')).toBe('1001500.00')
  })

  it('is refused when the shares exceed the received money, which stays held', async () => {
    const merchant = await openChargeMerchant()
    const payment = await merchant.paid({ payer_msisdn: '254700009005' })
    const answer = await merchant.confirm(payment)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      message: 'extra_data.split_settlements add up to 1270.5, more than the 750 received.',
    })
    expect(await merchant.held('held/ACC-001/KES')).toBe('750.00')
    expect((await merchant.confirm(payment, 'FAILED')).status).toBe(200)
    expect(await merchant.held('held/ACC-001/KES')).toBe('0.00')
    expect(await merchant.status()).toMatchObject({ status: 841 })
  })

  it.each([
    ['payment_id', 'x'.repeat(65), 'must be at most 64 characters'],
    ['status', 'successful', 'must be one of SUCCESSFUL, FAILED'],
    ['narration', 'x'.repeat(256), 'must be at most 255 characters'],
  ])('with %s = %j is refused', async (field, value, rule) => {
    const merchant = await openChargeMerchant()
    const body = {
      payment_id: await merchant.paid(),
      status: 'SUCCESSFUL',
      narration: 'Done',
      [field]: value,
    }
    const headers = { 'x-access-token': merchant.token() }
    const answer = await merchant.post('/transactions/acknowledge', body, headers)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ status_code: 172, message: `${field} ${rule}.` })
    expect(await merchant.held('held/ACC-001/KES')).toBe('1500.00')
  })
})

describe('money that is given back', () => {
  it('before the confirmation comes from the held money', async () => {
    const merchant = await openChargeMerchant()
    await merchant.paid({ payer_msisdn: '254700009009' })
    await merchant.later(2 * MINUTE)
    expect(await merchant.held('held/ACC-001/KES')).toBe('0.00')
    expect(await merchant.held('float/ACC-001/KES')).toBe('1000000.00')
  })

  it.each([
    ['reverse', 840],
    ['refund', 841],
  ])(
    'after the confirmation, by %s, comes from the merchant; partners keep their shares',
    async (scenario, status) => {
      const merchant = await openChargeMerchant()
      const payment = await merchant.paid()
      await merchant.confirm(payment)
      expect(await merchant.pay(scenario)).toMatchObject({ status, amount: '0' })
      expect(await merchant.held('float/ACC-001/KES')).toBe('998729.50')
      expect(await merchant.held('partner/PARTNER-001/KES')).toBe('1000.00')
      expect((await merchant.confirm(payment)).status).toBe(200)
      expect(await merchant.held('float/ACC-001/KES')).toBe('998729.50')
    },
  )

  it('after the confirmation is owed when the float is spent', async () => {
    const merchant = await openChargeMerchant()
    const ugandan = {
      service_code: 'CHECKOUT-UGX',
      currency_code: 'UGX',
      payment_method_code: 'MOMO_UGA',
      extra_data: undefined,
      add_transaction_charge: true,
      transaction_charge: 100,
    }
    await merchant.confirm(await merchant.paid(ugandan))
    await merchant.pay('refund')
    expect(await merchant.held('float/ACC-001/UGX')).toBe('0.00')
    expect(await merchant.held('owed/ACC-001/UGX')).toBe('-100.00')
  })
})

describe('a partner account', () => {
  it.each(['PARTNER-001', 'PARTNER-002', 'PARTNER-FEES'])('%s is seeded', async (number) => {
    const merchant = await openChargeMerchant()
    const answer = await merchant.get(`/_sandbox/accounts/${number}/statement`)
    expect(await answer.json()).toEqual({
      account_number: number,
      statements: [{ currency: 'KES', balance: '0.00', rows: [] }],
    })
  })

  it('has a statement, and no balance for the merchant', async () => {
    const merchant = await openChargeMerchant()
    await merchant.confirm(await merchant.paid())
    const statement = await merchant.get('/_sandbox/accounts/PARTNER-002/statement')
    expect((await statement.json()).statements).toEqual([
      {
        currency: 'KES',
        balance: '250.50',
        rows: [
          {
            at: '2026-11-21T09:00:05.000Z',
            what: 'charge distributed',
            reference: charge.external_reference,
            amount: '250.50',
            balance: '250.50',
          },
        ],
      },
    ])
    const headers = { 'x-access-token': merchant.token() }
    expect((await merchant.get('/v1/accounts/PARTNER-002/balance', headers)).status).toBe(404)
  })
})
