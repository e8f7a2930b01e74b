import { describe, expect, it } from 'vitest'
import { airtime } from '../support/spec-airtime.ts'
import { AIRTIME, FUNDED, MINUTE, SECOND, openMerchant, to } from './merchant.ts'
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

it('airtime waits a second, is in progress for three, and is delivered with a receipt', async () => {
  const merchant = await openMerchant()
  await merchant.buy()
  expect(await statusesOf(merchant)).toEqual([600, 600])
  await merchant.later(2 * SECOND)
  expect(await statusesOf(merchant)).toEqual([601, 601])
  await merchant.later(2 * SECOND)
  for (const entry of await merchant.entries())
    expect(entry).toMatchObject({
      service_status: 602,
      provider_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
      message: 'The airtime was delivered.',
    })
})

it('phone numbers and amounts are normalized', async () => {
  const merchant = await openMerchant()
  await merchant.buy([
    { phone_number: '+254 700-000-001', amount: 99.5 },
    { phone_number: '256 (700) 000.001', amount: '5.00' },
  ])
  expect(await merchant.entries()).toMatchObject([
    { phone_number: '254700000001', amount: 99.5 },
    { phone_number: '256700000001', amount: 5 },
  ])
})

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

  it('with slow is 601 for 45 seconds, and with reprocess is 607 first', async () => {
    const merchant = await openMerchant()
    await merchant.buy([to('9007'), to('9113')])
    for (const [ms, statuses] of [
      [4 * SECOND, [601, 607]],
      [3 * SECOND, [601, 601]],
      [3 * SECOND, [601, 602]],
      [MINUTE, [602, 602]],
    ] as const) {
      await merchant.later(ms)
      expect(await statusesOf(merchant)).toEqual(statuses)
    }
  })
})

describe('a scenario through /_sandbox', () => {
  it('changes one recipient at once, and is refused for an unknown one', async () => {
    const merchant = await openMerchant()
    await merchant.buy()
    const answer = await merchant.playAirtime('decline')
    expect(await answer.json()).toMatchObject({ phone_number: '254700000001', service_status: 603 })
    expect(await statusesOf(merchant)).toEqual([603, 600])
    expect((await merchant.playAirtime('success', '254700000009')).status).toBe(404)
    expect((await merchant.playAirtime('success', '254700000001', 'AIRTIME-2')).status).toBe(404)
  })

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

it.each([
  [{ reference: 'x'.repeat(65) }, 'reference must be at most 64 characters'],
  [{ recipients: [{ amount: '5' }] }, 'recipients[0].phone_number is required'],
  [{ recipients: [to('0001'), { phone_number: '254700000002' }] }, 'recipients[1].amount is required'],
  [{ recipients: [to('0001', '0')] }, 'recipients[0].amount must be more than zero'],
  [{ recipients: [to('0001', '0.005')] }, 'recipients[0].amount must have at most 2'],
  [
    { recipients: [to('0001'), to('0002'), { phone_number: '+254 700 000 001', amount: '1' }] },
    'recipients[2].phone_number is the same as recipients[0].phone_number',
  ],
])('%j is 721, names the rule, and leaves nothing behind', async (fields, rule) => {
  const merchant = await openMerchant()
  expect(await merchant.refusal(AIRTIME, { ...airtime, ...fields })).toMatchObject({
    http: 400,
    response_code: 721,
    response_description: expect.stringContaining(rule),
  })
  expect(await merchant.balance()).toBe(FUNDED)
  expect(await merchant.entries()).toMatchObject({ response_code: 723 })
})

it('above the balance no recipient is paid, and the reference can be used once again', async () => {
  const merchant = await openMerchant()
  const of = (amount: string) => ({ ...airtime, recipients: [to('0001', '600000'), to('0002', amount)] })
  expect(await merchant.refusal(AIRTIME, of('400000.01'))).toMatchObject({
    response_code: 721,
    response_description: expect.stringContaining('Insufficient balance'),
    error_code: 'INSUFFICIENT_BALANCE',
  })
  await merchant.accepted(AIRTIME, of('400000'))
  expect(await merchant.balance()).toBe('0.00')
  for (const fields of [{}, { recipients: [to('0007')] }, { recipients: 7 }])
    expect(await merchant.refusal(AIRTIME, { ...airtime, ...fields })).toMatchObject({
      response_code: 721,
      response_description: 'The reference "AIRTIME-1" was used before.',
    })
})
