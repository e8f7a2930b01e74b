import { describe, expect, it } from 'vitest'
import { FUNDED, MINUTE, SECOND, openMerchant, to } from './merchant.ts'
import type { Entry, Merchant } from './merchant.ts'

const OUTCOMES = [
  ['0001', [602]],
  ['9100', [602]],
  ['9101', [603]],
  ['9112', [603]],
  ['9007', [602]],
  ['9008', [604]],
  ['9009', [602, 605]],
  ['9010', [602, 606]],
  ['9113', [607, 602]],
] as const

const statusesOf = async (merchant: Merchant) =>
  (await merchant.entries()).map((entry) => entry.service_status)

describe('a magic number', () => {
  it('gives each recipient of a request its own result', async () => {
    const merchant = await openMerchant()
    await merchant.buy(OUTCOMES.map(([digits]) => to(digits)))
    await merchant.later(2 * MINUTE)
    expect(await statusesOf(merchant)).toEqual(OUTCOMES.map(([, statuses]) => statuses.at(-1)))
    const entries: Entry[] = merchant.callbacks.map(({ text }) => JSON.parse(text))
    for (const [digits, statuses] of OUTCOMES) {
      const ofThis = entries.filter(({ phone_number }) => phone_number.endsWith(digits))
      expect(ofThis.map((entry) => entry.service_status)).toEqual(statuses)
    }
    // The float pays four deliveries (602) and reserves one (604). All other amounts return to the float.
    expect(await merchant.balance()).toBe('999500.00')
    expect(await merchant.balanceOf('reserved/ACC-001/KES')).toBe('100.00')
    expect(await merchant.balanceOf('operators/KES')).toBe('400.00')
  })
})

describe('a scenario through /_sandbox', () => {
  it.each([
    ['reverse', 605],
    ['refund', 606],
  ])('%s applies to delivered airtime only', async (scenario, status) => {
    const merchant = await openMerchant()
    await merchant.buy([to('0001')])
    expect((await merchant.playAirtime(scenario)).status).toBe(409)
    await merchant.later(5 * SECOND)
    await merchant.playAirtime(scenario)
    expect(await statusesOf(merchant)).toEqual([status])
    expect(await merchant.balance()).toBe(FUNDED)
    for (const late of ['success', 'failed', 'slow', 'jam', 'reprocess', 'reverse', 'refund'])
      expect((await merchant.playAirtime(late)).status).toBe(409)
  })
})
