import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { MINUTE } from './merchant.ts'
import { TRANSFERS, openPayoutMerchant, transfer } from './payout-merchant.ts'

const ADDRESS = 'http://127.0.0.1:9/callbacks/portal'
const NOTHING = { airtime_callback_url: null, charge_callback_url: null, b2c_callback_url: null }

describe('the portal', () => {
  it('has no addresses at first, and keeps those that are set', async () => {
    const merchant = await openPayoutMerchant()
    const read = async () => (await merchant.get('/_sandbox/portal')).json()
    expect(await read()).toEqual(NOTHING)
    const set = await merchant.post('/_sandbox/portal', { airtime_callback_url: ADDRESS })
    expect(await set.json()).toEqual({ ...NOTHING, airtime_callback_url: ADDRESS })
    await merchant.post('/_sandbox/portal', { charge_callback_url: 'https://shop.example/x' })
    await merchant.post('/_sandbox/portal', { airtime_callback_url: null })
    expect(await read()).toEqual({ ...NOTHING, charge_callback_url: 'https://shop.example/x' })
  })

  it('is reset to the options of the sandbox', async () => {
    const merchant = await openPayoutMerchant({ portal: { b2c_callback_url: ADDRESS } })
    await merchant.post('/_sandbox/portal', { b2c_callback_url: null })
    await merchant.post('/_sandbox/reset', {})
    expect(await (await merchant.get('/_sandbox/portal')).json()).toEqual({
      ...NOTHING,
      b2c_callback_url: ADDRESS,
    })
  })

  it.each(['http://shop.example/callback', 'ftp://127.0.0.1/x', '/callback', '', 7, 'x'.repeat(501)])(
    'takes no callbacks to %j',
    async (address) => {
      for (const field of Object.keys(NOTHING)) {
        const merchant = await openPayoutMerchant()
        const answer = await merchant.post('/_sandbox/portal', { [field]: address })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toMatchObject({ message: expect.stringContaining(field) })
        expect(await (await merchant.get('/_sandbox/portal')).json()).toEqual(NOTHING)
      }
    },
  )

  it('refuses to start with an address that cannot receive callbacks', () => {
    expect(() => createSandbox({ portal: { airtime_callback_url: 'http://shop.example/' } })).toThrow('HTTPS')
  })

  it('receives the callbacks of transfers without a callback_url', async () => {
    const merchant = await openPayoutMerchant({ portal: { b2c_callback_url: ADDRESS } })
    const exchange_rate = await merchant.rate('KES', 'UGX')
    const recipient_amount = String(Math.floor(1000 * Number(exchange_rate)))
    const request = transfer({ exchange_rate, recipient_amount })
    await merchant.accepted(TRANSFERS, { ...request, callback_url: undefined })
    await merchant.later(MINUTE)
    expect(merchant.callbacks).toMatchObject([{ url: ADDRESS, body: await merchant.status() }])
  })
})
