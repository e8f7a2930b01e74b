import { describe, expect, it } from 'vitest'
import { airtime, manyRecipients } from '../support/spec-airtime.ts'
import { ADDRESS, FUNDED, OUTCOMES, openAirtime, to } from './airtime-merchant.ts'
import type { Entry } from './airtime-merchant.ts'
import { HOUR, MINUTE } from './merchant.ts'
import { SECOND } from './payout-merchant.ts'

describe('airtime', () => {
  it('is accepted, then 600, 601 and 602, with a callback for each recipient', async () => {
    const merchant = await openAirtime()
    expect(await merchant.buy()).toEqual({
      reference: 'AIRTIME-1',
      response_code: 720,
      response_description: expect.any(String),
    })
    expect(await merchant.entries()).toEqual(
      airtime.recipients.map(({ phone_number, amount }) => ({
        phone_number,
        amount: Number(amount),
        service_status: 600,
        external_reference: 'AIRTIME-1',
        provider_reference: null,
        correlation_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        message: expect.any(String),
      })),
    )
    await merchant.later(2 * SECOND)
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([601, 601])
    await merchant.later(2 * SECOND)
    const entries = await merchant.entries()
    for (const entry of entries)
      expect(entry).toMatchObject({
        service_status: 602,
        provider_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
        message: 'The airtime was delivered.',
      })
    expect(merchant.callbacks.map(({ url, text }) => [url, JSON.parse(text)])).toEqual(
      entries.map((entry) => [ADDRESS, entry]),
    )
  })

  it('has no callbacks without an address in the portal', async () => {
    const merchant = await openAirtime({ portal: {} })
    await merchant.buy()
    await merchant.later(MINUTE)
    expect(merchant.callbacks).toEqual([])
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([602, 602])
  })

  it('accepts a thousand recipients and sends a callback for each', async () => {
    const merchant = await openAirtime()
    const recipients = manyRecipients(1000)
    await merchant.buy(recipients)
    await merchant.later(10 * SECOND)
    expect(merchant.callbacks).toHaveLength(1000)
    const phones = (await merchant.entries()).map((entry) => entry.phone_number)
    expect(phones).toEqual(recipients.map(({ phone_number }) => phone_number))
    expect(await merchant.balance()).toBe('990000.00')
  })

  it('callbacks are retried like those of payouts', async () => {
    const merchant = await openAirtime({ reply: () => new Response('', { status: 202 }) })
    await merchant.buy([to('0001')])
    await merchant.later(72 * HOUR)
    expect(merchant.callbacks).toHaveLength(4)
    expect(await merchant.deliveries('AIRTIME-1')).toMatchObject([{ state: 'given_up' }])
  })

  it('accepts formatted phone numbers and amounts', async () => {
    const merchant = await openAirtime()
    await merchant.buy([
      { phone_number: '+254 700-000-001', amount: 99.5 },
      { phone_number: '256 (700) 000.001', amount: '5.00' },
    ])
    expect(await merchant.entries()).toMatchObject([
      { phone_number: '254700000001', amount: 99.5 },
      { phone_number: '256700000001', amount: 5 },
    ])
  })
})

describe('a magic number', () => {
  it('gives each recipient of a request its own result', async () => {
    const merchant = await openAirtime()
    await merchant.buy(OUTCOMES.map(([digits]) => to(digits)))
    await merchant.later(2 * MINUTE)
    const statuses = (await merchant.entries()).map((entry) => entry.service_status)
    expect(statuses).toEqual(OUTCOMES.map(([, statuses]) => statuses.at(-1)))
    for (const [digits, statuses] of OUTCOMES) {
      const news = merchant.callbacks.map(({ text }) => JSON.parse(text))
      const ofThis = news.filter(({ phone_number }: Entry) => phone_number.endsWith(digits))
      expect(ofThis.map((entry: Entry) => entry.service_status)).toEqual(statuses)
    }
    // 602 four times is gone, 604 is held; all else came back.
    expect(await merchant.balance()).toBe('999500.00')
    const { accounts } = await merchant.ledger()
    expect(accounts).toContainEqual({ account: 'reserved/ACC-001/KES', balance: '100.00' })
    expect(accounts).toContainEqual({ account: 'operators/KES', balance: '400.00' })
  })

  it('with slow is 601 for 45 seconds, and with reprocess is 607 first', async () => {
    const merchant = await openAirtime()
    await merchant.buy([to('9007'), to('9113')])
    await merchant.later(4 * SECOND)
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([601, 607])
    await merchant.later(3 * SECOND)
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([601, 601])
    await merchant.later(3 * SECOND)
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([601, 602])
    await merchant.later(MINUTE)
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([602, 602])
  })
})

describe('a scenario through /_sandbox', () => {
  it.each([
    ['success', 602],
    ['decline', 603],
    ['failed', 603],
    ['jam', 604],
    ['reprocess', 607],
    ['slow', 601],
  ])('%s changes one recipient at once', async (scenario, service_status) => {
    const merchant = await openAirtime()
    await merchant.buy()
    const answer = await merchant.playAirtime(scenario)
    expect(await answer.json()).toMatchObject({ phone_number: '254700000001', service_status })
    expect((await merchant.entries()).map((entry) => entry.service_status)).toEqual([service_status, 600])
  })

  it.each([
    ['success', 602, '999900.00'],
    ['failed', 603, FUNDED],
  ])('jammed money stays reserved until %s', async (scenario, status, balance) => {
    const merchant = await openAirtime()
    await merchant.buy([to('9008')])
    await merchant.later(30 * MINUTE)
    expect(await merchant.balance()).toBe('999900.00')
    await merchant.playAirtime(scenario, '254700009008')
    await merchant.later(MINUTE)
    expect(await merchant.entries()).toMatchObject([{ service_status: status }])
    expect(await merchant.balance()).toBe(balance)
    expect(merchant.statuses()).toEqual([604, status])
  })

  it.each([
    ['reverse', 605],
    ['refund', 606],
  ])('%s applies to delivered airtime only', async (scenario, status) => {
    const merchant = await openAirtime()
    await merchant.buy([to('0001')])
    expect((await merchant.playAirtime(scenario)).status).toBe(409)
    await merchant.later(5 * SECOND)
    await merchant.playAirtime(scenario)
    expect(await merchant.entries()).toMatchObject([{ service_status: status }])
    expect(await merchant.balance()).toBe(FUNDED)
    for (const late of ['success', 'failed', 'slow', 'jam', 'reprocess', 'reverse', 'refund'])
      expect((await merchant.playAirtime(late)).status).toBe(409)
  })

  it('is refused for an unknown recipient', async () => {
    const merchant = await openAirtime()
    await merchant.buy()
    expect((await merchant.playAirtime('success', '254700000009')).status).toBe(404)
    expect((await merchant.playAirtime('success', '254700000001', 'AIRTIME-2')).status).toBe(404)
  })

  it.each(['approve', 'insufficient_balance', 'constructor', '', null])(
    '%j is no scenario of airtime',
    async (scenario) => {
      const merchant = await openAirtime()
      await merchant.buy()
      const answer = await merchant.playAirtime(scenario)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('scenario') })
    },
  )
})
