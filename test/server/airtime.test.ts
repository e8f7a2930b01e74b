import { describe, expect, test } from 'vitest'
import type { DeliveredEvent } from '../support/world.ts'
import { openAirtimeShop, to } from '../support/airtime-shop.ts'
import { createReluctantBackend } from '../support/charge-world.ts'
import { DOWN } from '../support/network.ts'
import { airtime, manyRecipients } from '../support/spec-airtime.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('airtime', () => {
  test('is accepted and delivered, with one event for each recipient', async () => {
    const shop = await openAirtimeShop()
    const begun = await shop.buy()
    expect(begun).toMatchObject({ reference: 'A-1', outcome: 'pending', settled: false, requests: 1 })
    expect(begun.recipients.map(({ phone_number, amount }) => ({ phone_number, amount }))).toEqual(
      airtime.recipients,
    )
    await shop.later(10 * SECOND)
    expect(await shop.airtime()).toMatchObject({
      outcome: 'succeeded',
      settled: true,
      summary: {
        total: { count: 2, amount: '150.00' },
        succeeded: { count: 2, amount: '150.00' },
        pending: { count: 0, amount: '0.00' },
      },
    })
    expect(shop.types()).toEqual(['airtime.succeeded', 'airtime.succeeded'])
    const [first] = (await shop.airtime()).recipients
    expect(shop.delivered[0]?.data).toEqual(first)
    expect(first).toEqual({
      reference: 'A-1',
      phone_number: '254700000001',
      amount: '100.00',
      outcome: 'succeeded',
      settled: true,
      service_status: 602,
      message: 'The airtime was delivered.',
      provider_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
      correlation_id: expect.any(String),
      external_reference: 'A-1',
      attention: null,
    })
    const { transactions } = (await shop.get('/history/A-1')).body
    const whats = transactions[0].history.map(({ what }: { what: string }) => what)
    expect(whats).toEqual(['The gateway accepted it.', 'The gateway says: 2 succeeded.'])
  })

  test('with mixed results has the outcome that the gateway reports for each recipient, without callbacks', async () => {
    const shop = await openAirtimeShop()
    shop.network.reliability.callbacks = DOWN
    const digits = ['0001', '9101', '9008', '9009', '9010', '9113']
    await shop.buy(digits.map((end, index) => to(end, `${index + 1}0.50`)))
    await shop.later(2 * 60 * MINUTE)
    const { recipients, summary, outcome, settled } = await shop.airtime()
    expect([outcome, settled]).toEqual(['needs_attention', false])
    const statuses = recipients.map(({ service_status }) => service_status)
    expect(statuses).toEqual([602, 603, 604, 605, 606, 602])
    expect(summary).toEqual({
      total: { count: 6, amount: '213.00' },
      sending: { count: 0, amount: '0.00' },
      pending: { count: 0, amount: '0.00' },
      succeeded: { count: 2, amount: '71.00' },
      failed: { count: 1, amount: '20.50' },
      reversed: { count: 1, amount: '40.50' },
      refunded: { count: 1, amount: '50.50' },
      needs_attention: { count: 1, amount: '30.50' },
    })
    const told = shop.types().filter((type) => type !== 'airtime.succeeded')
    expect(new Set(told).size).toBe(told.length)
  })

  test('that is rejected has failed for all recipients, with the message of the gateway', async () => {
    const shop = await openAirtimeShop()
    const begun = await shop.buy([to('0001', '600000'), to('0002', '600000')])
    expect(begun).toMatchObject({ outcome: 'failed', settled: true })
    for (const recipient of begun.recipients)
      expect(recipient).toMatchObject({
        outcome: 'failed',
        message: expect.stringContaining('Insufficient balance'),
      })
    await shop.later(10 * MINUTE)
    expect(shop.types()).toEqual(['airtime.failed', 'airtime.failed'])
  })
})

describe('an event that the merchant always refuses', () => {
  const isRefused = ({ data }: DeliveredEvent<unknown>) => JSON.stringify(data).includes('254700000001')

  test('does not delay events of other recipients', async () => {
    const backend = (event: DeliveredEvent) => new Response(null, { status: isRefused(event) ? 500 : 204 })
    const shop = await openAirtimeShop({ backend })
    await shop.buy([to('0001'), to('0002'), to('0003')])
    await shop.later(MINUTE)
    expect(shop.delivered.map(({ data }) => data)).toMatchObject([
      { phone_number: '254700000002' },
      { phone_number: '254700000003' },
    ])
  })

  test('is tried by one delivery in five seconds, then in thirty, if all are refused, and no event is lost', async () => {
    const backend = createReluctantBackend()
    const shop = await openAirtimeShop({ backend: backend.answer })
    await shop.buy(manyRecipients(300))
    await shop.later(6 * 60 * MINUTE)
    expect(backend.asked.length).toBeLessThan(HOUR / 5_000 + (5 * HOUR) / 30_000 + 100)
    backend.isWilling = true
    await shop.later(10 * MINUTE)
    expect(shop.types()).toHaveLength(300)
  })
})
