import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, sum } from '../../server/contract/decimal.ts'
import { AIRTIME, airtime, manyRecipients } from '../support/spec-airtime.ts'
import { HOUR, MINUTE } from './merchant.ts'
import { SECOND, openPayoutMerchant } from './payout-merchant.ts'

const ADDRESS = 'http://127.0.0.1:9/callbacks/airtime/abc'
const FUNDED = '1000000.00'
const RUNS = process.env.FULL ? 2_000 : 40

type Entry = { phone_number: string; service_status: number; [field: string]: unknown }

async function openAirtime(options: Parameters<typeof openPayoutMerchant>[0] = {}) {
  const sender = await openPayoutMerchant({ portal: { airtime_callback_url: ADDRESS }, ...options })
  const ask = (reference: string) =>
    sender.get(`/v1/gw/airtime/${reference}/status`, { 'x-access-token': sender.token() })
  return {
    ...sender,
    ask,
    async buy(recipients: object[] = airtime.recipients, reference = 'AIRTIME-1') {
      return sender.accepted(AIRTIME, { reference, recipients })
    },
    async refused(fields: object) {
      const answer = await sender.send(AIRTIME, { ...airtime, ...fields })
      return { status: answer.status, body: await answer.json() }
    },
    async entries(reference = 'AIRTIME-1'): Promise<Entry[]> {
      return (await ask(reference)).json()
    },
    playAirtime: (scenario: unknown, phone = '254700000001', reference = 'AIRTIME-1') =>
      sender.post(`/_sandbox/airtime/${reference}/${phone}/play`, { scenario }),
    statuses: (): number[] => sender.callbacks.map(({ text }) => JSON.parse(text).service_status),
  }
}

const to = (digits: string, amount: unknown = '100') => ({ phone_number: `25470000${digits}`, amount })

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

/** Everything that may become of one recipient, all of it in one request. */
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

/** A refusal leaves nothing behind, so the tests of refusals share one sandbox. */
const shared = openAirtime()

describe('a request', () => {
  const ordinary = to('0001')

  it.each([
    ['no reference', { reference: undefined }, 'reference is required'],
    ['a blank reference', { reference: ' ' }, 'reference must not be blank'],
    ['a long reference', { reference: 'x'.repeat(65) }, 'reference must be at most 64 characters'],
    ['no phone', { recipients: [{ amount: '5' }] }, 'recipients[0].phone_number is required'],
    ['no amount', { recipients: [ordinary, { phone_number: '254700000002' }] }, 'recipients[1].amount is'],
    ['nothing', { recipients: [to('0001', '0')] }, 'recipients[0].amount must be more than zero'],
    ['half a cent', { recipients: [to('0001', '0.005')] }, 'recipients[0].amount must have at most 2'],
    [
      'a phone that is there twice',
      { recipients: [ordinary, to('0002'), { ...ordinary, phone_number: '+254 700 000 001' }] },
      'recipients[2].phone_number is the same as recipients[0].phone_number',
    ],
  ])('%s is 721, names the rule, and leaves nothing behind', async (_, fields, rule) => {
    const merchant = await shared
    const { status, body } = await merchant.refused(fields)
    expect(status).toBe(400)
    expect(body).toMatchObject({ response_code: 721, response_description: expect.stringContaining(rule) })
    expect(await merchant.balance()).toBe(FUNDED)
    expect((await merchant.ask('AIRTIME-1')).status).toBe(404)
  })

  it('above the balance pays no recipient, and its reference can be used again', async () => {
    const merchant = await openAirtime()
    const { body } = await merchant.refused({ recipients: [to('0001', '600000'), to('0002', '400000.01')] })
    expect(body).toEqual({
      reference: 'AIRTIME-1',
      response_code: 721,
      response_description: expect.stringContaining('Insufficient balance'),
      error_code: 'INSUFFICIENT_BALANCE',
    })
    await merchant.buy([to('0001', '600000'), to('0002', '400000')])
    expect(await merchant.balance()).toBe('0.00')
  })

  it('with a used reference is refused, whatever its other fields are', async () => {
    const merchant = await openAirtime()
    await merchant.buy()
    for (const fields of [{}, { recipients: [to('0007')] }, { recipients: 7 }]) {
      const { body } = await merchant.refused(fields)
      expect(body).toMatchObject({
        response_code: 721,
        response_description: 'The reference "AIRTIME-1" was used before.',
      })
    }
    expect(await merchant.entries()).toHaveLength(2)
  })

  it('with an unknown reference is 723', async () => {
    const merchant = await shared
    const answer = await merchant.ask('gone')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      reference: 'gone',
      response_code: 723,
      response_description: 'No request for airtime has the reference "gone".',
      error_code: 'RESOURCE_NOT_FOUND',
    })
  })

  it.each([
    ['no token', {}, 'UNAUTHORIZED'],
    ['a wrong token', { 'x-access-token': 'wrong' }, 'INVALID_ACCESS_TOKEN'],
  ])('with %s is refused like a payout', async (_, headers: Record<string, string>, error_code) => {
    const merchant = await shared
    for (const answer of [
      await merchant.post(AIRTIME, airtime, headers),
      await merchant.get('/v1/gw/airtime/AIRTIME-1/status', headers),
    ]) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ reference: null, response_code: 721, error_code })
    }
  })

  it('with a malformed or too large body is refused with an acknowledgement', async () => {
    const merchant = await shared
    const tooLarge = { ...airtime, note: 'x'.repeat(300_000) }
    for (const [body, status] of [
      ['{', 400],
      ['[]', 400],
      [tooLarge, 413],
    ] as const) {
      const answer = await merchant.send(AIRTIME, body)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ reference: null, response_code: 721 })
    }
  })

  it('that meets a fault is refused with an acknowledgement', async () => {
    const merchant = await openAirtime()
    await merchant.post('/_sandbox/faults', { route: AIRTIME, fault: 'status', status: 500 })
    const { status, body } = await merchant.refused({})
    expect([status, body.response_code, body.error_code]).toEqual([500, 721, 'FAILED'])
  })
})

it(
  'after any sequence of airtime and scenarios, the ledger agrees with the statuses',
  { timeout: 120_000 },
  async () => {
    const scenario = fc.constantFrom('success', 'failed', 'jam', 'slow', 'reprocess', 'reverse', 'refund')
    const recipient = fc.record({
      digits: fc.constantFrom(...OUTCOMES.map(([digits]) => digits)),
      amount: fc.integer({ min: 1, max: 40_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    })
    const step = fc.oneof(
      fc.record({ send: fc.array(recipient, { minLength: 1, maxLength: 5 }) }),
      fc.record({ play: scenario, which: fc.nat() }),
      fc.record({ wait: fc.integer({ min: 0, max: 70_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
        const merchant = await openAirtime()
        const sent: { reference: string; phone: string; amount: string }[] = []
        for (const [index, next] of steps.entries()) {
          if ('wait' in next) await merchant.later(next.wait)
          else if ('send' in next) {
            const reference = `R-${index}`
            const recipients = next.send.map(({ digits, amount }, n) => ({
              phone_number: `25470${n}00${digits}`,
              amount,
            }))
            const answer = await merchant.send(AIRTIME, { reference, recipients })
            if (!answer.ok) continue
            for (const { phone_number: phone, amount } of recipients) sent.push({ reference, phone, amount })
          } else {
            const target = sent[next.which % (sent.length || 1)]
            if (target) await merchant.playAirtime(next.play, target.phone, target.reference)
          }
          await agree(merchant, sent)
        }
      }),
      { numRuns: RUNS },
    )
  },
)

/** Delivered money is at the operators, open money is reserved, and the rest is in the float. */
async function agree(
  merchant: Awaited<ReturnType<typeof openAirtime>>,
  sent: readonly { reference: string; phone: string; amount: string }[],
): Promise<void> {
  const { accounts, totals } = await merchant.ledger()
  const balanceOf = (name: string) =>
    accounts.find(({ account }: { account: string }) => account === name)?.balance ?? '0.00'
  expect(totals).toEqual({ KES: '0.00' })
  const statuses = new Map<string, number>()
  for (const reference of new Set(sent.map((each) => each.reference)))
    for (const { phone_number, service_status } of await merchant.entries(reference))
      statuses.set(`${reference}/${phone_number}`, service_status)
  const amountOf = (...wanted: number[]) =>
    sum(
      sent
        .filter(({ reference, phone }) => wanted.includes(statuses.get(`${reference}/${phone}`) ?? 0))
        .map(({ amount }) => amount),
    )
  expect(compare(balanceOf('operators/KES'), amountOf(602))).toBe(0)
  expect(compare(balanceOf('reserved/ACC-001/KES'), amountOf(600, 601, 604, 607))).toBe(0)
  const kept = sum([balanceOf('float/ACC-001/KES'), amountOf(600, 601, 602, 604, 607)])
  expect(compare(kept, FUNDED)).toBe(0)
}
