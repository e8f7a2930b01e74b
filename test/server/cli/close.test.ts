import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { signedIn } from '../../../server/conformance/portal-visitor.ts'
import { compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { openStore } from '../../../server/store/open.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { SCRATCH } from '../../support/scratch.ts'
import { cellsIn } from '../../support/table.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { runHere } from '../../support/worlds/terminal.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { DayOfPayments } from '../../../server/api/payments.ts'
import type { World } from '../../support/worlds/world.ts'

const MINUTE = 60_000
const DAY = '2026-11-21'
const TIME_ZONE = 'Africa/Nairobi'

/** How many transactions of each kind the day has, beside those that do not agree. */
const TRADED = process.env.FULL
  ? { checkouts: 390, charges: 40, payouts: 45, airtime: 10 }
  : { checkouts: 60, charges: 8, payouts: 16, airtime: 3 }

const folder = mkdtempSync(join(SCRATCH, 'close-'))
const STORE_URL = `sqlite:${join(folder, 'store.sqlite')}`

/** Runs the command on the day after, or at another time. */
const closeAt = (time: string, ...args: string[]) =>
  runHere(
    ['close', ...args],
    { ...ENVIRONMENT, STORE_URL, TIME_ZONE },
    { clock: { ...systemClock, now: () => Date.parse(time) } },
  )
const close = (...args: string[]) => closeAt('2026-11-22T10:00:00+03:00', ...args)

let world: World
/** Whose payment the gateway does not report yet. */
let hidden = ''

beforeAll(async () => {
  world = await createWorld({
    store: openStore(STORE_URL),
    env: { TIME_ZONE },
    backend: ({ data }) => new Response(null, { status: /^(UNTOLD|UNHEARD)$/.test(data.order) ? 503 : 204 }),
  })
  world.alterAnswers((text) => {
    const body = JSON.parse(text)
    const isHidden = body.status !== undefined && body.merchant_transaction_id === hidden
    return isHidden ? JSON.stringify({ ...body, status: 803, amount: '0', payments: [] }) : text
  })
  await plant()
  await trade()
  hidden = ''
  await world.later(75 * MINUTE)
  const unheard = (await world.store.listEvents('sandbox', 0, 10_000)).find(({ body }) =>
    body.includes('"UNHEARD"'),
  )
  await world.store.finishEvent(unheard!.id, { kind: 'no_receiver' }, world.timeline.now())
}, 300_000)
afterAll(async () => {
  await world.store.close()
  rmSync(folder, { recursive: true })
})

async function pay(order: string, scenario = 'approve', fields: object = {}) {
  world.order(order, '500')
  const checkout = await world.start(order)
  await world.pay(checkout, scenario, fields)
  return checkout
}

/** Five things that do not agree. */
async function plant(): Promise<void> {
  world.order('LATE')
  const late = await world.start('LATE')
  hidden = late.merchant_transaction_id
  await world.pay(late, 'approve')
  await pay('UNTOLD')
  await pay('UNHEARD')
  await pay('OVER', 'overpay', { amount: '650' })
  await world.payOut('local', { payout_reference: 'JAMMED', recipient_phone_number: '254700009008' })
  // The session of LATE ends without money, as far as anybody knows.
  await world.later(40 * MINUTE)
}

/** Whatever else happens on a day. */
async function trade(): Promise<void> {
  for (let number = 0; number < TRADED.checkouts; number++) {
    const scenario = number % 10 === 0 ? 'wrong_pin' : 'approve'
    const checkout = await pay(`A-${number}`, scenario)
    if (number % 13 === 1 && scenario === 'approve') {
      await world.pay(checkout, number % 2 === 0 ? 'refund' : 'reverse')
    }
  }

  for (let number = 0; number < TRADED.charges; number++) {
    const external_reference = `C-${number}`
    await world.api('/charges', { ...CHARGE, external_reference })
    await world.pay({ merchant_transaction_id: external_reference }, 'approve')
  }

  for (let number = 0; number < TRADED.payouts; number++) {
    const scenario = number % 15 === 0 ? '9101' : '0001'
    const phone = { recipient_phone_number: `25470000${scenario}` }
    await world.payOut('local', { payout_reference: `W-${number}`, ...phone })
    const reference = `T-${number}`
    const recipients = ['254700000001', '254700000002'].map((phone_number) => ({
      phone_number,
      amount: '25.5',
    }))
    if (number < TRADED.airtime) {
      await world.api('/airtime', { reference, recipients })
    }
  }

  await world.payOut('b2b', { payout_reference: 'SUPPLIER' })
  await world.later(10 * MINUTE)
}

describe('a day of transactions of every kind', () => {
  test('has five that do not agree, and no other', async () => {
    const { code, out } = await close(DAY, '--json')
    const { disagreements }: DayOfPayments = JSON.parse(out)
    const found = disagreements.map(({ order, why }) => `${order}: ${why.map((each) => each.code).join()}`)
    expect(found.toSorted()).toEqual([
      'JAMMED: alarm',
      'LATE: late',
      'OVER: amount',
      'UNHEARD: unreceived',
      'UNTOLD: unacknowledged',
    ])
    expect(code).toBe(1)
  })

  test('has the totals of the ledger, to the cent', async () => {
    const { sums, totals }: DayOfPayments = JSON.parse((await close(DAY, '--json')).out)
    const { entries } = await (await world.sandbox.app.request('/_sandbox/ledger')).json()
    const lines = entries.flatMap(
      ({ what, lines: all }: { what: string; lines: { account: string; amount: string }[] }) =>
        all.map((line) => ({ what, ...line })),
    ) as { what: string; account: string; amount: string }[]
    const total = (account: RegExp, sign: number) =>
      sum(
        lines
          .filter((line) => account.test(line.account) && compare(line.amount, '0') === sign)
          .map(({ amount }) => amount.replace('-', '')),
      )
    const ledger = {
      received: total(/^customers\/KES$/, -1),
      returned: total(/^customers\/KES$/, 1),
      paid_out: total(/^(operators|banks)\/KES$/, 1),
      came_back: total(/^(operators|banks)\/KES$/, -1),
    }
    const [day, ...others] = sums
    expect(others).toEqual([])
    for (const [name, amount] of Object.entries(ledger)) {
      expect(subtract(String(Object(day)[name]), amount), name).toMatch(/^0(\.0+)?$/)
    }

    expect(Number(ledger.received)).toBeGreaterThan(TRADED.checkouts * 400)
    expect(Number(ledger.returned)).toBeGreaterThan(1_000)
    expect(sum(totals.map(({ net }) => net))).toBe(day!.net)
  })

  test('is compared with the statement of the portal, and two lines that are missing there are told', async () => {
    const owner = await signedIn(world.sandbox.app)
    const { html: csv } = await owner.open(`/statement.csv?day=${DAY}`)
    const file = join(folder, 'statement.csv')
    writeFileSync(file, csv)
    const whole = JSON.parse((await close(DAY, '--statement', file, '--json')).out).comparison
    expect(whole).toEqual({
      matched: csv.trim().split('\r\n').length - 1,
      missing_here: [],
      missing_there: [],
    })

    const lines = csv.split('\r\n')
    const missing = lines.filter((line) => /,(W-7|C-3),/.test(line))
    expect(missing).toHaveLength(2)
    const others = lines.filter((line) => !missing.includes(line))
    writeFileSync(file, others.toSpliced(1, 0, `x,checkout,NOBODY,,ACC-001,99.5,0,KES`).join('\r\n'))
    const { code, out } = await close(DAY, '--statement', file)
    expect(code).toBe(1)
    expect(out).toMatch(/Missing here, and in the statement: 1\n {2}NOBODY {2}99\.5 KES/)
    expect(out).toMatch(/Missing in the statement, and here: 2\n {2}(C-3|W-7) .*\n {2}(C-3|W-7) /)
  })

  test('is not what its statement says to be reversed, also without a sign, and ends with 1', async () => {
    const owner = await signedIn(world.sandbox.app)
    const { html: csv } = await owner.open(`/statement.csv?day=${DAY}`)
    const lines = csv.trim().split('\r\n').slice(1)
    const all = lines.map((line) => {
      const [, type = '', reference, , , amount = '', , currency] = line.split(',')
      return { reference, amount: amount.replace('-', ''), currency, type }
    })
    const rows = all
      .filter(({ type }) => type === 'checkout' || type === 'charge')
      .map(({ reference, amount, currency }) => `${reference},${amount},${currency},Reversed`)
    const file = join(folder, 'reversed.csv')
    writeFileSync(file, ['reference,amount,currency,status', ...rows].join('\n'))
    const { code, out } = await close(DAY, '--statement', file, '--json')
    const { comparison } = JSON.parse(out)
    const reversed = all.filter(({ type }) => /reversed|refunded/.test(type))
    expect(code).toBe(1)
    expect({ matched: comparison.matched, here: comparison.missing_here.length }).toEqual({
      matched: reversed.length,
      here: rows.length - reversed.length,
    })
    expect((await close(DAY, '--statement', file)).out).toMatch(
      /Missing here.*\n {2}\S+ {2}\d+ KES .*went back\n/,
    )
  })

  test('is written as CSV to a file of its own, which nothing overwrites', async () => {
    const file = join(folder, 'day.csv')
    const { out } = await close(DAY, '--csv', file)
    expect(out).toMatch(
      /^2026-11-21 in Africa\/Nairobi, closed at 2026-11-22T06:00:00\+03:00:\n\nKES: \d+ movements, received /,
    )
    expect(out).toContain('Does not agree: 5')
    const [headings, ...rows] = cellsIn(readFileSync(file, 'utf8'))
    expect(headings).toContain('change')
    expect(rows.length).toBeGreaterThan(TRADED.checkouts)
    expect(await close(DAY, '--csv', file)).toMatchObject({ code: 73 })
  })
})

test.each([
  ['yesterday', 2, /<day> must be a date/],
  ['30.11.2026', 2, /<day> must be a date such as 2026-11-21/],
  [DAY, 66, /cannot be read/],
])('%s with a statement that is not there ends with %s', async (day, code, message) => {
  const options = day === DAY ? ['--statement', join(folder, 'none.csv')] : []
  const answer = await close(day, ...options)
  expect(answer).toMatchObject({ code })
  expect(answer.err).toMatch(message)
})

test('a day that has not closed says when it closes', async () => {
  const { out } = await closeAt('2026-10-01T10:00:00+03:00', '2026-10-01')
  expect(out).toContain(
    '2026-10-01 in Africa/Nairobi, closes at 2026-10-02T06:00:00+03:00: no money has moved.',
  )
})

test('a statement without an end is read up to 64 MB', { timeout: 20_000 }, async () => {
  const { code, err } = await close(DAY, '--statement', '/dev/zero')
  expect({ code, err }).toEqual({
    code: 66,
    err: expect.stringContaining('cannot be read: it has more than 64 MB.'),
  })
})

test('a day without money agrees', async () => {
  const { code, out } = await close('2026-10-01')
  expect(out).toContain('no money has moved')
  expect(code).toBe(0)
})
