import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { transfer } from '../support/spec-payouts.ts'
import { CALLBACKS, MINUTE, TRANSFERS, openMerchant } from './merchant.ts'

const ADDRESS = `${CALLBACKS}/portal`
const NOTHING = { airtime_callback_url: null, charge_callback_url: null, b2c_callback_url: null }

describe('the portal', () => {
  it('has no addresses at first, and keeps those that are set', async () => {
    const merchant = await openMerchant({ portal: {} })
    const read = () => merchant.control('/portal')
    expect(await read()).toEqual(NOTHING)
    const set = await merchant.control('/portal', { airtime_callback_url: ADDRESS })
    expect(set).toEqual({ ...NOTHING, airtime_callback_url: ADDRESS })
    await merchant.control('/portal', { charge_callback_url: 'https://shop.example/x' })
    await merchant.control('/portal', { airtime_callback_url: null })
    expect(await read()).toEqual({ ...NOTHING, charge_callback_url: 'https://shop.example/x' })
  })

  it('is reset to the options of the sandbox', async () => {
    const merchant = await openMerchant({ portal: { b2c_callback_url: ADDRESS } })
    await merchant.post('/_sandbox/portal', { b2c_callback_url: null })
    await merchant.post('/_sandbox/reset', {})
    expect(await merchant.control('/portal')).toEqual({ ...NOTHING, b2c_callback_url: ADDRESS })
  })

  it.each(['http://shop.example/callback', 'ftp://127.0.0.1/x', '/callback', '', 7, 'x'.repeat(501)])(
    'takes no callbacks to %j',
    async (address) => {
      for (const field of Object.keys(NOTHING)) {
        const merchant = await openMerchant({ portal: {} })
        const answer = await merchant.post('/_sandbox/portal', { [field]: address })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toMatchObject({ message: expect.stringContaining(field) })
        expect(await merchant.control('/portal')).toEqual(NOTHING)
      }
    },
  )

  it('refuses to start with an address that cannot receive callbacks', () => {
    expect(() => createSandbox({ portal: { airtime_callback_url: 'http://shop.example/' } })).toThrow('HTTPS')
  })

  it('receives the callbacks of requests without a callback_url, and nobody does without its addresses', async () => {
    const b2c_callback_url = ADDRESS
    const open = await openMerchant({ portal: { b2c_callback_url } })
    const closed = await openMerchant({ portal: {} })
    for (const merchant of [open, closed]) {
      await merchant.accepted(TRANSFERS, transfer)
      await merchant.charge()
      await merchant.buy()
      await merchant.later(MINUTE)
    }
    expect(open.callbacks).toMatchObject([
      { url: b2c_callback_url, body: await open.payoutStatus(transfer.payout_reference) },
    ])
    expect(closed.callbacks).toEqual([])
    expect(await closed.chargeStatus()).toMatchObject({ status: 801 })
  })
})
