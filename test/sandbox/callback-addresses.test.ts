import { describe, expect, it } from 'vitest'
import { B2B, CHECKOUTS, PAYOUTS, b2b, openMerchant, payout, request } from './merchant.ts'

const PUBLIC = ['shop.example', 'pay.shop.test', '8.8.8.8', '[2606:4700::1111]', 'internal.shop.example']
const PRIVATE = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '[fd00::1]',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
  'intranet',
  'shop.internal',
  'shop.local',
  'shop.home.arpa',
  'shop.internal.',
]
const RULE = 'callback_url must be HTTPS and publicly reachable'

describe('a callback address', () => {
  it.each(PUBLIC)('https://%s is accepted', async (host) => {
    const merchant = await openMerchant()
    await merchant.begin({ callback_url: `https://${host}/callbacks` })
  })

  it.each(PRIVATE)('https://%s is refused, because nobody reaches it', async (host) => {
    const merchant = await openMerchant()
    const callback_url = `https://${host}/callbacks`
    for (const [path, body] of [
      [CHECKOUTS, request({ callback_url })],
      [PAYOUTS, payout({ callback_url })],
      [B2B, b2b({ callback_url })],
    ] as const) {
      const refusal = await merchant.refusal(path, body)
      expect(refusal.message ?? refusal.response_description).toContain(RULE)
    }
    expect(await merchant.refusal('/_sandbox/portal', { b2c_callback_url: callback_url })).toMatchObject({
      message: expect.stringContaining('b2c_callback_url must be HTTPS and publicly reachable'),
    })
  })

  it('that is private is accepted where its host is named', async () => {
    const merchant = await openMerchant({ callbackHosts: ['10.0.0.1', 'shop.internal'] })
    await merchant.begin({ callback_url: 'https://10.0.0.1/callbacks' })
    await merchant.accepted(PAYOUTS, payout({ callback_url: 'https://shop.internal/callbacks' }))
    const callback_url = 'https://10.0.0.2/callbacks'
    expect((await merchant.refusal(CHECKOUTS, request({ callback_url }))).message).toContain(RULE)
  })
})

it.each(['OLD-CHECKOUT-KES', 'SECOND-CHECKOUT-KES', 'NO-SUCH-SERVICE'])(
  'the service %s is 172 for a checkout: disabled, of another merchant, or none',
  async (service_code) => {
    const merchant = await openMerchant()
    expect(await merchant.refusal(CHECKOUTS, request({ service_code }))).toMatchObject({
      status_code: 172,
      status_description: 'Invalid Service Code',
    })
  },
)
