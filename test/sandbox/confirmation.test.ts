import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND, openMerchant } from './merchant.ts'

describe('a confirmation', () => {
  it.each([
    ['0001', 1 * SECOND, 'The payment is prompted; only a received one can be confirmed.'],
    ['9001', 5 * SECOND, 'The payment is failed; only a received one can be confirmed.'],
    ['9007', 5 * SECOND, 'The payment is processing; only a received one can be confirmed.'],
    ['9008', 5 * SECOND, 'The payment is jammed; only a received one can be confirmed.'],
    ['9009', 2 * MINUTE, 'The payment was reversed before the service was confirmed.'],
    ['9010', 2 * MINUTE, 'The payment was refunded before the service was confirmed.'],
  ])('of a payment by the magic number %s after %i ms is refused', async (digits, ms, message) => {
    const merchant = await openMerchant()
    await merchant.charge({ payer_msisdn: `25470000${digits}` })
    await merchant.later(ms)
    const { payments } = await merchant.chargeStatus()
    const { entries } = await merchant.ledger()
    for (const status of ['SUCCESSFUL', 'FAILED']) {
      const answer = await merchant.confirm(payments[0].transaction_id, status)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ status_code: 174, message })
    }
    expect((await merchant.ledger()).entries).toEqual(entries)
  })

  it('is refused while another attempt is open, and ends the charge for all its payments', async () => {
    const merchant = await openMerchant()
    await merchant.redirect({ payer_msisdn: '254700009003' })
    const pay = (scenario?: string, fields = {}) => merchant.payCharge(scenario, fields, 'ORDER-7732')
    await pay('partial', { amount: 500 })
    const { payments } = await pay('partial', { amount: 200 })
    const [first, second] = payments.map((payment: { transaction_id: string }) => payment.transaction_id)
    await pay()
    expect(await (await merchant.confirm(first)).json()).toMatchObject({
      message: 'Another payment of the charge is still open.',
    })
    await merchant.later(MINUTE)
    expect((await merchant.confirm(first)).status).toBe(200)
    expect(await pay('approve')).toMatchObject({ message: 'The charge was confirmed.' })
    expect(await merchant.chargeStatus('ORDER-7732')).toMatchObject({ status: 802, amount: '700' })
    expect((await merchant.confirm(second)).status).toBe(200)
    expect((await merchant.confirm(second, 'FAILED')).status).toBe(409)
    expect(await merchant.balanceOf('float/ACC-001/KES')).toBe('1000680.00')
  })

  it('is refused when the shares exceed the received money, which stays held', async () => {
    const merchant = await openMerchant()
    const payment = await merchant.paid({ payer_msisdn: '254700009005' })
    const answer = await merchant.confirm(payment)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      message: 'extra_data.split_settlements add up to 1270.5, more than the 750 received.',
    })
    expect(await merchant.balanceOf('held/ACC-001/KES')).toBe('750.00')
    expect((await merchant.confirm(payment, 'FAILED')).status).toBe(200)
    expect(await merchant.balanceOf('held/ACC-001/KES')).toBe('0.00')
  })
})
