import { describe, expect, test } from 'vitest'
import type { ListedAirtime } from '../../server/api/airtime.ts'
import { openAirtimeShop, to } from '../support/airtime-shop.ts'
import { RELIABLE, DOWN } from '../support/network.ts'
import { airtime, manyRecipients } from '../support/spec-airtime.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const THOUSANDS_MS = 120_000

type Shop = Awaited<ReturnType<typeof openAirtimeShop>>

async function deliveredNumbers({ sandbox }: Shop): Promise<string[]> {
  const { entries } = await (await sandbox.app.request('/_sandbox/ledger')).json()
  return entries
    .filter(({ what }: { what: string }) => what === 'airtime delivered')
    .map(({ reference }: { reference: string }) => reference.split('/')[1])
}

describe('airtime is sent once', () => {
  test('a repeated list returns the same request, and a different list is refused', async () => {
    const shop = await openAirtimeShop()
    const order = { reference: 'A-1', recipients: airtime.recipients }
    const answers = await Promise.all([1, 2, 3].map(() => shop.post('/airtime', order)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    for (const recipients of [
      airtime.recipients.toReversed(),
      airtime.recipients.slice(1),
      [...airtime.recipients, to('0003')],
      airtime.recipients.map((recipient) => ({ ...recipient, amount: '7' })),
    ]) {
      const { status, body } = await shop.post('/airtime', { ...order, recipients })
      expect([status, body.code]).toEqual([409, 'reference_reused'])
    }
    expect(shop.sends()).toHaveLength(1)
  })

  test('a lost request is not repeated, and needs a person after three queries in two minutes', async () => {
    const shop = await openAirtimeShop()
    await shop.get('/fx?base_currency=KES')
    shop.network.reliability.gateway = DOWN
    await shop.buy()
    shop.network.reliability.gateway = RELIABLE
    await shop.later(100 * SECOND)
    expect(await shop.airtime()).toMatchObject({ outcome: 'sending' })
    await shop.later(5 * MINUTE)
    const { recipients, outcome } = await shop.airtime()
    expect(outcome).toBe('needs_attention')
    for (const recipient of recipients)
      expect(recipient.attention).toBe(
        'It was sent once, its answer was lost, and the gateway does not know it. It is not sent again.',
      )
    await shop.later(3 * DAY)
    expect(shop.types()).toEqual(['airtime.needs_attention', 'airtime.needs_attention'])
    // When the merchant repeats the request, the server still sends nothing.
    await shop.buy()
    expect(shop.sends()).toHaveLength(0)
  })

  test('the same list from another store finds the request that the first one sent', async () => {
    const shop = await openAirtimeShop()
    const recipients = [to('0001'), to('9101')]
    await shop.sentElsewhere(recipients)
    await shop.later(10 * SECOND)
    expect((await shop.buy(recipients)).recipients).toMatchObject([
      { outcome: 'succeeded' },
      { outcome: 'failed', service_status: 603 },
    ])
    expect(await deliveredNumbers(shop)).toEqual(['254700000001'])
  })
})

describe('thousands of recipients', { timeout: THOUSANDS_MS }, () => {
  test('become several requests, each sent once, and one response with totals', async () => {
    const shop = await openAirtimeShop()
    const recipients = manyRecipients(2500)
    const begun = await shop.buy(recipients)
    expect(begun).toMatchObject({ requests: 3, outcome: 'pending' })
    expect(begun.recipients.map(({ phone_number }) => phone_number)).toEqual(
      recipients.map(({ phone_number }) => phone_number),
    )
    expect(begun.recipients[2000]).toMatchObject({ reference: 'A-1', external_reference: 'A-1-3' })
    expect(shop.sends()).toHaveLength(3)
    await shop.later(30 * SECOND)
    const { summary } = await shop.airtime()
    expect(summary.total).toEqual({ count: 2500, amount: '25000.00' })
    expect(summary.succeeded).toEqual(summary.total)
    expect(new Set(await deliveredNumbers(shop)).size).toBe(2500)
    const { items } = (await shop.get('/airtime')).body
    const counts = items.map((item: ListedAirtime) => [item.external_reference, item.summary.succeeded.count])
    expect(counts.toSorted()).toEqual([
      ['A-1-1', 1000],
      ['A-1-2', 1000],
      ['A-1-3', 500],
    ])
  })

  test('cause only a few queries for their callbacks', async () => {
    const shop = await openAirtimeShop()
    await shop.buy(manyRecipients(1000))
    await shop.later(10 * SECOND)
    expect(shop.asks().length).toBeLessThanOrEqual(3)
    expect(await shop.airtime()).toMatchObject({ outcome: 'succeeded' })
    await shop.later(10 * MINUTE)
    expect(shop.types()).toHaveLength(1000)
  })

  test('are all refused when the reference of one request is already used', async () => {
    const shop = await openAirtimeShop()
    await shop.buy(airtime.recipients, 'A-1-2')
    const order = { reference: 'A-1', recipients: manyRecipients(1500) }
    const { status, body } = await shop.post('/airtime', order)
    expect([status, body.code]).toEqual([409, 'reference_reused'])
    expect((await shop.get('/airtime/A-1')).status).toBe(404)
    expect(shop.sends()).toHaveLength(1)
  })
})
