import { afterEach, describe, expect, test } from 'vitest'

import { cellsIn } from '../../../support/table.ts'
import { createApiWorld } from '../../../support/worlds/api-world.ts'
import { CHARGE } from '../../../support/worlds/chargeable.ts'
import { PAYOUTS } from '../../../support/worlds/payable.ts'

import type { WorldOptions } from '../../../support/worlds/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PHONE = '254700000123'
const READ_KEY = 'the key of a shop assistant in a test'
const ENV = { TIME_ZONE: 'Africa/Nairobi', MERCHANT_READ_KEY: READ_KEY }
const HERE = '2026-11-21'

type ApiWorld = Awaited<ReturnType<typeof createApiWorld>>
let world: ApiWorld
afterEach(() => world.store.close())

async function open(options: WorldOptions = {}) {
  world = await createApiWorld({ ...options, env: { ...ENV, ...options.env } })
  return world
}

async function paid(order: string, { amount = '500', scenario = 'approve', msisdn = PHONE } = {}) {
  world.order(order, amount)
  const checkout = await world.start(order)
  await world.pay(checkout, scenario, { msisdn })
  await world.later(60_000)
  return checkout
}

const find = async (query: string) => (await world.get(`/payments?${query}`)).body
const found = async (query: string) => (await find(query)).items?.map(({ order }: { order: string }) => order)

describe('a payment', () => {
  test('is found with what a shop assistant asks for', async () => {
    await open()
    const { merchant_transaction_id } = await paid('A-1')
    const [receipt] = (await world.get(`/checkouts/A-1`)).body.payments.map(
      (payment: { receipt: string }) => payment.receipt,
    )
    expect(await find(`receipt=%20${receipt.toLowerCase()}`)).toEqual({
      items: [
        {
          kind: 'checkout',
          order: 'A-1',
          reference: merchant_transaction_id,
          narration: 'Two kangas',
          amount: '500',
          currency: 'KES',
          moved: 'paid',
          outcome: 'paid',
          reason: null,
          operator: expect.any(String),
          service: 'CHECKOUT-KES',
          receipt,
          paid_at: expect.stringMatching(/^2026-11-21T12:00:\d\d\+03:00$/),
          told: [{ type: 'checkout.paid', at: expect.stringMatching(/\+03:00$/), delivery: 'delivered' }],
          notices: [],
        },
      ],
      next_cursor: null,
      reaches_since: null,
    })
  })

  test('is found by each of its traits, and by several', async () => {
    await open({ env: { DEFAULT_COUNTRY: 'KE' } })
    await paid('A-1', { amount: '500', msisdn: '254700000001' })
    await paid('A-2', { amount: '1500', msisdn: '254700010002' })
    await world.later(DAY)
    await paid('A-3', { amount: '500', msisdn: '254700010003' })
    expect(await found('order=a-2')).toEqual(['A-2'])
    expect(await found('phone=0700010003')).toEqual(['A-3'])
    expect(await found('phone_ends=0002')).toEqual(['A-2'])
    expect(await found('phone_ends=٠٠٠٢')).toEqual(['A-2'])
    expect(await found('phone_ends=０００２')).toEqual(['A-2'])
    expect(await found('amount=500.00')).toEqual(['A-3', 'A-1'])
    expect(await found('amount=٥٠٠')).toEqual(['A-3', 'A-1'])
    expect(await found(`day=${HERE}`)).toEqual(['A-2', 'A-1'])
    expect(await found(`day=${HERE}..2026-11-22`)).toEqual(['A-3', 'A-2', 'A-1'])
    expect(await found(`amount=500&day=${HERE}`)).toEqual(['A-1'])
    expect((await find(`amount=1500&phone_ends=0001`)).code).toBe('unknown_payment')
  })

  test('that nobody has made is told in words', async () => {
    await open()
    await paid('A-1', { scenario: 'wrong_pin' })
    const { status, body } = await world.get('/payments?receipt=SKL4XR7M2P&phone=%2B254700000123')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'unknown_payment' })
    expect(body.detail).toMatch(
      /^No such payment: none with this receipt, this phone number has been confirmed here\./,
    )
    expect(body.detail).not.toContain('700000123')
  })

  test('that went back says so', async () => {
    await open()
    await world.pay(await paid('A-1'), 'refund')
    await world.later(60_000)
    expect((await find('order=A-1')).items).toMatchObject([
      {
        moved: 'refunded',
        outcome: 'refunded',
        told: [{ type: 'checkout.paid' }, { type: 'checkout.refunded' }],
      },
    ])
  })

  test('of a charge, and a payout to a phone, are found as well', async () => {
    await open()
    const { body } = await world.post('/charges', CHARGE)
    await world.pay({ merchant_transaction_id: body.external_reference }, 'approve')
    await world.post('/payouts', { ...PAYOUTS.local, recipient_phone_number: PHONE })
    await world.later(60_000)
    expect((await find(`order=${body.external_reference}`)).items).toMatchObject([
      { kind: 'charge', outcome: 'succeeded' },
    ])
    expect((await find(`phone=${PHONE}`)).items).toMatchObject([{ kind: 'payout', outcome: 'succeeded' }])
  })

  test('is listed in pages', async () => {
    await open()
    for (let number = 1; number <= 52; number++) {
      await paid(`A-${number}`)
    }

    const first = await find('amount=500')
    expect(first.items).toHaveLength(50)
    const second = await find(`amount=500&cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ next_cursor: null, items: [{ order: 'A-2' }, { order: 'A-1' }] })
  })

  test('is not found by a number whose secret was replaced, and the answer says since when', async () => {
    const { store } = await open()
    await paid('A-1')
    world = await createApiWorld({
      store,
      env: {
        ...ENV,
        GATEWAY_CONSUMER_SECRET: 'sandbox-secret-2',
        GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret',
      },
    })
    expect(await find(`phone=${PHONE}`)).toMatchObject({ items: [{ order: 'A-1' }], reaches_since: null })
    world = await createApiWorld({ store, env: { ...ENV, GATEWAY_CONSUMER_SECRET: 'sandbox-secret-2' } })
    const { code, detail } = await find(`phone=${PHONE}`)
    expect(code).toBe('unknown_payment')
    expect(detail).toMatch(/Numbers are found since 2026-11-21T12:00:\d\d\+03:00 only/)
    expect(await found('order=A-1')).toEqual(['A-1'])
  })
})

describe('a search is refused with the rule', () => {
  test.each([
    ['', 'query', /must name one or several of receipt, order, phone/],
    ['name=Asha', 'name', /is not known here/],
    ['phone=0700000', 'phone', /must be a whole phone number .* phone_ends/],
    ['phone_ends=123', 'phone_ends', /must be the last four digits/],
    ['receipt=QK%3D1', 'receipt', /must be the whole code/],
    ['amount=-5', 'amount', /more than zero/],
    ['amount=5,00', 'amount', /decimal number/],
    ['amount=25.000', 'amount', /at most 2 fraction digits: 25.000 may mean 25000/],
    ['day=21.11.2026', 'day', /must be a date such as/],
    ['day=2026-11-21..2026-11-20', 'day', /range of 1 to 92 days/],
    ['day=2026-08-01..2026-11-01', 'day', /range of 1 to 92 days/],
    ['day=2026-11-21&day=2026-11-22', 'day', /must not be repeated/],
    ['order=A-1&cursor=x', 'cursor', /must be the next_cursor/],
  ])('%s', async (query, path, message) => {
    await open()
    const { status, body } = await world.get(`/payments?${query}`)
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  test.each(['/payments?day=2026-11-21', '/payments.csv?day=2026-11-21', '/days/2026-11-21'])(
    'without TIME_ZONE: %s',
    async (path) => {
      await open({ env: { TIME_ZONE: undefined } })
      const { status, body } = await world.get(path)
      expect(status).toBe(501)
      expect(body).toMatchObject({ code: 'no_time_zone', detail: expect.stringContaining('TIME_ZONE') })
    },
  )
})

describe('MERCHANT_READ_KEY', () => {
  const statusOf = async (path: string, key = READ_KEY, method = 'GET') =>
    (await world.ask(path, { method, headers: { authorization: `Bearer ${key}` } })).status

  test('opens find and the day, and nothing else', async () => {
    await open()
    await paid('A-1')
    for (const path of ['/api/payments?order=A-1', `/api/payments.csv?day=${HERE}`, `/api/days/${HERE}`]) {
      expect(await statusOf(path)).toBe(200)
      expect(await statusOf(path, 'another key that is long enough')).toBe(401)
    }

    for (const path of [
      '/api/checkouts',
      '/api/payouts',
      '/api/events',
      '/api/history/A-1',
      '/api/payments/A-1',
      '/api/payments.csv/x',
    ]) {
      expect(await statusOf(path)).toBe(401)
    }

    expect(await statusOf('/api/airtime', READ_KEY, 'POST')).toBe(401)
  })

  test('opens them also where there is no MERCHANT_API_KEY', async () => {
    await open({ env: { MERCHANT_API_KEY: undefined } })
    expect(await statusOf(`/api/days/${HERE}`)).toBe(200)
    expect(await statusOf('/api/checkouts')).toBe(404)
  })
})

test('a look-up by the data of a person is a line in the log, without the value', async () => {
  await open()
  await find(`phone=${PHONE}&order=A-1`)
  await find('order=A-1')
  const lines = world.logged.filter(({ message }) => message.includes('looked up'))
  expect(lines).toEqual([
    { level: 'info', facts: { by: ['phone'] }, message: 'Payments were looked up by the data of a person.' },
  ])
})

test('the table of a day has a line for each movement, and no cell that a spreadsheet runs', async () => {
  await open()
  await paid('=A-1', { amount: '700' })
  await world.pay(await paid('A-2'), 'reverse')
  await world.post('/payouts', PAYOUTS.local)
  await world.later(60_000)
  const answer = await world.ask(`/api/payments.csv?day=${HERE}`, {
    headers: { authorization: `Bearer ${READ_KEY}` },
  })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  const [headings = [], ...rows] = cellsIn(await answer.text())
  const table = rows.map((row) => Object.fromEntries(row.map((cell, index) => [headings[index], cell])))
  expect(table).toMatchObject([
    {
      kind: 'checkout',
      moved: 'paid',
      order: "'=A-1",
      amount: '700',
      change: '700',
      currency: 'KES',
      outcome: 'paid',
      told: 'paid',
      narration: 'Two kangas',
    },
    { order: 'A-2', moved: 'paid', change: '500', outcome: 'reversed' },
    { order: 'A-2', moved: 'reversed', change: '-500', outcome: 'reversed' },
    { kind: 'payout', order: PAYOUTS.local.payout_reference, change: `-${PAYOUTS.local.sender_amount}` },
  ])
})

test('a day says of an order that two of its checkouts were paid, also if the first one was paid last', async () => {
  const reports = new Map<string, object>()
  const says = (reference: string, status: number, payment_status: number) =>
    reports.set(reference, {
      merchant_transaction_id: reference,
      currency: 'KES',
      status,
      amount: status === 801 ? '500' : '0',
      payments: [{ payment_status, amount: '500', transaction_id: `paid ${reference}` }],
    })
  await open({
    gateway(url, { method }) {
      const report = [...reports].find(([reference]) => url.includes(`/${reference}`))?.[1]
      return method === 'GET' && report ? Response.json(report) : undefined
    },
  })
  world.order('A-1', '500')
  const { merchant_transaction_id: first } = await world.start('A-1')
  says(first, 803, 701)
  await world.later(2 * 3_600_000)
  const { merchant_transaction_id: second } = await world.start('A-1')
  says(second, 801, 700)
  await world.later(DAY)
  says(first, 801, 700)
  await world.later(2 * DAY)
  const { disagreements } = (await world.get('/days/2026-11-23')).body
  expect(disagreements).toMatchObject([{ order: 'A-1', why: [{ code: 'late' }, { code: 'twice' }] }])
})

test('a day says of an order that is paid that it needs a person, also if it was paid on an earlier day', async () => {
  await open()
  await paid('A-1')
  world.alterAnswers((text) => {
    const report = JSON.parse(text)
    const isReport = report.status === 801
    return isReport ? JSON.stringify({ ...report, status: 803, amount: '0', payments: [] }) : text
  })
  await world.later(2 * DAY)
  const { disagreements } = (await world.get('/days/2026-11-23')).body
  expect(disagreements).toMatchObject([{ order: 'A-1', why: [{ code: 'alarm' }] }])
  const { items } = (await world.get('/checkouts?outcome=needs_attention')).body
  expect(items).toMatchObject([{ order: 'A-1', outcome: 'paid', attention: expect.any(String) }])
})

describe('a day adds up to what the gateway says', () => {
  type Report = { status: number; amount: string; payments: { payment_status: number; amount: string }[] }
  type Change = (report: Report) => Report

  const returned =
    (status: number, payment_status: number): Change =>
    (report) => ({
      ...report,
      status,
      payments: report.payments.map((payment) => ({ ...payment, payment_status })),
    })
  const withAmount =
    (amount: string): Change =>
    (report) => ({
      ...report,
      status: 802,
      amount,
      payments: report.payments.map((payment) => ({ ...payment, amount })),
    })
  const refundedInPart: Change = (report) => ({
    ...report,
    status: 841,
    amount: '300',
    payments: [...report.payments, { payment_status: 705, amount: '200' }],
  })
  const unlisted: Change = (report) => ({ ...report, payments: [] })
  const asItIs: Change = (report) => report

  /** Pays an order that is reported in two ways, the second after a pause. Resolves with what the days then have. */
  async function reportedAs(first: Change, second: Change, pause: number) {
    await open()
    let change = first
    world.alterAnswers((text) => {
      const body = JSON.parse(text)
      return body.payments?.length > 0 ? JSON.stringify(change(body)) : text
    })
    await paid('A-1')
    await world.later(pause)
    const closed = await tableOf(HERE)
    change = second
    await world.later(2 * DAY)
    const days = await Promise.all(
      ['2026-11-22', '2026-11-23', '2026-11-24'].map(async (date) => (await world.get(`/days/${date}`)).body),
    )
    const tables = await Promise.all(days.map(({ day }) => tableOf(day)))
    return {
      closed,
      here: await tableOf(HERE),
      sums: (await world.get(`/days/${HERE}`)).body.sums,
      later: tables.flat(),
      codes: days.flatMap(({ disagreements }) =>
        disagreements.flatMap(({ why }: { why: { code: string }[] }) => why.map(({ code }) => code)),
      ),
    }
  }

  /** Returns the table of a day with the columns that no later day may change. */
  async function tableOf(date: string) {
    const answer = await world.ask(`/api/payments.csv?day=${date}`, {
      headers: { authorization: `Bearer ${READ_KEY}` },
    })
    const [headings = [], ...rows] = cellsIn(await answer.text())
    const columns = ['time', 'moved', 'amount', 'change', 'currency', 'operator', 'service', 'corrects']
    return rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[headings.indexOf(column)]])),
    )
  }

  test.each<[string, Change, Change, object]>([
    ['without its payment at first', unlisted, asItIs, { count: 1, received: '500', returned: '0' }],
    [
      'reversed, then refunded',
      returned(840, 702),
      returned(841, 705),
      { count: 2, returned: '500', net: '0' },
    ],
    [
      'refunded, then reversed',
      returned(841, 705),
      returned(840, 702),
      { count: 2, returned: '500', net: '0' },
    ],
    // The same payment after its reversal is a contradiction: the reversal stays.
    ['reversed, and paid again', returned(840, 702), asItIs, { count: 2, received: '500', returned: '500' }],
    ['with another amount at first', withAmount('50'), asItIs, { count: 1, received: '500', net: '500' }],
    [
      'and of a refund of a part that is listed beside it',
      asItIs,
      refundedInPart,
      { count: 2, received: '500', returned: '200', net: '300' },
    ],
  ])('that is open, of a payment that is reported %s', async (_, first, second, expected) => {
    const { sums, later } = await reportedAs(first, second, 60_000)
    expect(sums).toMatchObject([expected])
    expect(later).toEqual([])
    expect((await find('order=A-1')).items).toMatchObject([{ amount: '500', receipt: expect.any(String) }])
  })

  test.each<[string, Change, Change, object[]]>([
    ['without its payment at first', unlisted, asItIs, []],
    ['reversed, then refunded', returned(840, 702), returned(841, 705), []],
    ['refunded, then reversed', returned(841, 705), returned(840, 702), []],
    ['reversed, and paid again', returned(840, 702), asItIs, []],
    [
      'with another amount at first',
      withAmount('50'),
      asItIs,
      [{ moved: 'paid', amount: '450', change: '450' }],
    ],
  ])('that is closed, and later, of a payment that is reported %s', async (_, first, second, corrections) => {
    const { closed, here, later, codes } = await reportedAs(first, second, 19 * HOUR)
    expect(closed.length).toBeGreaterThan(0)
    expect(here).toEqual(closed)
    expect(later).toMatchObject(corrections.map((row) => ({ ...row, corrects: closed.at(-1)!.time })))
    expect(later).toHaveLength(corrections.length)
    expect(codes.filter((code) => code === 'corrected')).toHaveLength(corrections.length)
    expect((await find('order=A-1&amount=500')).items).toMatchObject([{ receipt: expect.any(String) }])
  })

  test('that is closed, and a later one, of a part that went back under an id of its own', async () => {
    const { closed, here, later } = await reportedAs(asItIs, refundedInPart, 19 * HOUR)
    expect(here).toEqual(closed)
    expect(later).toMatchObject([{ moved: 'refunded', amount: '200', change: '-200', corrects: '' }])
    expect((await find('order=A-1')).items).toMatchObject([{ amount: '500', receipt: expect.any(String) }])
  })
})

describe('a day has the money that the gateway states of what was paid out', () => {
  type Result = { amount?: string | number | null; currency?: string; payment_status?: number }

  /** Changes each report of a payout or of airtime. */
  function stating(change: (result: Result) => Result) {
    world.alterAnswers((text) => {
      const body = JSON.parse(text)
      if (Array.isArray(body)) {
        return JSON.stringify(body.map(change))
      }
      if (body.data?.payment_status) {
        return JSON.stringify({ ...body, data: change(body.data) })
      }
      return body.payment_status ? JSON.stringify(change(body)) : text
    })
  }

  const sumsOf = async (date = HERE) => (await world.get(`/days/${date}`)).body.sums
  const send = async (path: string, body: object) => {
    expect((await world.post(path, body)).status).toBe(201)
    await world.later(60_000)
  }
  const abroad = { destination_type: 'BANK', destination_name: 'Bank', recipient_bank_code: '01' }

  test.each([
    ['a payout', '/payouts', PAYOUTS.local],
    ['an international transfer', '/payouts/imt', PAYOUTS.transfer],
    ['a payout to a business', '/payouts/b2b', PAYOUTS.b2b],
  ])('of %s with another amount than was asked', async (_, path, request) => {
    await open()
    stating((result) => ({ ...result, amount: '985' }))
    await send(path, request)
    expect(await sumsOf()).toMatchObject([{ count: 1, paid_out: '985', came_back: '0', net: '-985' }])
    const { disagreements } = (await world.get(`/days/${HERE}`)).body
    expect(disagreements).toMatchObject([{ order: 'P-1', why: [{ code: 'alarm' }] }])
  })

  test('of a recipient of airtime with another amount than was asked', async () => {
    await open()
    stating((result) => ({ ...result, amount: '85' }))
    await send('/airtime', { reference: 'T-1', recipients: [{ phone_number: PHONE, amount: '100' }] })
    expect(await sumsOf()).toMatchObject([{ count: 1, paid_out: '85' }])
  })

  test.each<[string, (result: Result) => Result, object]>([
    ['without an amount', (result) => ({ ...result, amount: null }), { paid_out: '1000', came_back: '1000' }],
    ['with 0', (result) => ({ ...result, amount: '0' }), { paid_out: '1000', came_back: '1000' }],
    ['with a part', (result) => ({ ...result, amount: '400' }), { paid_out: '1000', came_back: '400' }],
  ])('that came back %s', async (_, change, expected) => {
    await open()
    await send('/payouts', PAYOUTS.local)
    stating((result) => change({ ...result, payment_status: 702 }))
    await world.later(2 * HOUR)
    expect(await sumsOf()).toMatchObject([expected])
  })

  test('of a part, all of which came back', async () => {
    await open()
    stating((result) => ({ ...result, amount: '985' }))
    await send('/payouts', PAYOUTS.local)
    stating((result) => ({ ...result, amount: '0', payment_status: 705 }))
    await world.later(2 * HOUR)
    expect(await sumsOf()).toMatchObject([{ paid_out: '985', came_back: '985', net: '0' }])
  })

  test('in the currency that the gateway states', async () => {
    await open()
    stating((result) => ({ ...result, currency: 'UGX' }))
    await send('/payouts', PAYOUTS.local)
    expect(await sumsOf()).toMatchObject([{ currency: 'UGX', paid_out: '1000' }])
  })

  test('as it was asked, where the gateway states what the recipient gets in another currency', async () => {
    await open()
    const { body } = await world.get('/fx/quote?from=KES&to=EUR&amount=1000')
    const { direction: _, rate: __, ...amounts } = body
    stating((result) => ({ ...result, amount: '1' }))
    await send('/payouts/imt', { ...PAYOUTS.transfer, ...abroad, ...amounts })
    expect(await sumsOf()).toMatchObject([{ currency: 'KES', paid_out: '1000' }])
  })

  test('and has it after the details of the recipient were erased', async () => {
    await open()
    stating((result) => ({ ...result, amount: '985' }))
    await send('/payouts', PAYOUTS.local)
    const resolution = { says: 'paid', by: 'Asha', note: 'The gateway kept 15.' }
    expect((await world.post('/payouts/P-1/resolve', resolution)).status).toBe(200)
    await world.later(40 * DAY)
    expect(JSON.stringify(await world.rows())).not.toContain(PAYOUTS.local.recipient_phone_number)
    expect(await sumsOf()).toMatchObject([{ paid_out: '985' }])
  })
})
