import { expect, test } from 'vitest'
import { openTrade } from './portal-trade.ts'
import { openPortal, problemsIn, readableIn } from './portal-visitor.ts'
import type { Visitor } from './portal-visitor.ts'

// The tests share one sandbox: each moves the money of another transaction, and those that are refused come first.
const trade = await openTrade()
const finance = await signedIn('finance')

async function signedIn(role: string): Promise<Visitor> {
  const visitor = openPortal(trade.sandbox.app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

const GIVEN_BACK = [
  ['/payments/order-paid', 'refund', 'Refunded 841'],
  ['/payments/order-partial', 'reverse', 'Reversed 840'],
  ['/charges/CHARGE-HELD', 'refund', 'Refunded 841'],
  ['/charges/ORDER-7731', 'reverse', 'Reversed 840'],
  ['/payouts/payout-1', 'refund', 'Refunded 705'],
  ['/payouts/FAMILY-1', 'reverse', 'Reversed 702'],
] as const

const RESOLVED = [
  ['/payments/order-jammed', 'success', 'Paid 801'],
  ['/charges/CHARGE-JAMMED', 'decline', 'Unpaid 803'],
  ['/payouts/WAGES-JAMMED', 'success', 'Processed 700'],
  ['/payouts/IMT-JAMMED', 'decline', 'Failed 701'],
  ['/airtime/AIRTIME-1/254711119008', 'decline', 'Failed 603'],
] as const

async function expectBalanced(): Promise<void> {
  const { totals } = await trade.ledger()
  expect([...new Set(Object.values(totals))]).toEqual(['0.00'])
}

test.each([
  ['/payments/order-paid', 'give-back', { as: 'refund' }, ['sure']],
  ['/payments/order-paid', 'give-back', { as: 'everything', sure: 'on' }, ['as']],
  ['/payments/order-paid', 'give-back', { as: 'success' }, ['as', 'sure']],
  ['/payments/order-jammed', 'resolve', { sure: 'on' }, ['as']],
  ['/payments/order-jammed', 'resolve', { as: 'refund', sure: 'on' }, ['as']],
  ['/payouts/WAGES-JAMMED', 'resolve', { as: 'success', sure: 'yes' }, ['sure']],
])('%s refuses %s with %j', async (path, name, fields, problems) => {
  await finance.open(path)
  const before = await trade.ledger()
  const { status, html } = await finance.send(name, fields)
  expect([status, Object.keys(problemsIn(html)).toSorted()]).toEqual([422, problems])
  expect(await trade.ledger()).toEqual(before)
})

test('a refund from a second window is refused, names its field and moves nothing', async () => {
  const [first, second] = [finance, await signedIn('owner')]
  for (const visitor of [first, second]) await visitor.open('/payments/order-arabic')
  await first.send('give-back', { as: 'refund', sure: 'on' })
  const before = await trade.ledger()
  const { status, html } = await second.send('give-back', { as: 'reverse', sure: 'on' })
  expect(status).toBe(422)
  expect(problemsIn(html)).toEqual({ as: 'The checkout holds no received money.' })
  expect(html).toContain('Nothing was changed')
  expect(await trade.ledger()).toEqual(before)
})

test.each(GIVEN_BACK)('finance gives %s back: %s', async (path, as, status) => {
  await finance.open(path)
  const { location } = await finance.send('give-back', { as, sure: 'on' })
  expect(location).toBe(`/portal${path}`)
  const text = readableIn((await finance.follow()).html)
  expect(text).toContain('The money was given back.')
  expect(text).toContain(status)
  expect(text).not.toContain('Give the money back')
  await expectBalanced()
})

test.each(RESOLVED)('finance resolves %s: %s', async (path, as, status) => {
  await finance.open(path)
  await finance.send('resolve', { as, sure: 'on' })
  const text = readableIn((await finance.follow()).html)
  expect(text).toContain('The result was recorded.')
  expect(text).toContain(status)
  expect(text).not.toContain('Record the result')
  await expectBalanced()
})
