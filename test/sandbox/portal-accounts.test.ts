import { expect, test } from 'vitest'
import { sum } from '../../server/contract/decimal.ts'
import { openTrade } from './portal-trade.ts'
import { openPortal, readableIn } from './portal-visitor.ts'

const trade = await openTrade()
// A payment in another currency.
await trade.begin({ merchant_transaction_id: 'order-ugx', service_code: 'CHECKOUT-UGX', amount: 75_000 })
await trade.pay('approve', {}, 'order-ugx')

async function signIn(role: string) {
  const visitor = openPortal(trade.sandbox.app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

test('each account shows its balance, and what is reserved and held', async () => {
  const visitor = await signIn('finance')
  const text = readableIn((await visitor.open('/accounts')).html)
  const { accounts } = await trade.ledger()
  const balance = (name: string) =>
    Number(accounts.find(({ account }: { account: string }) => account === name)?.balance ?? 0)
  const shown = (name: string) => balance(name).toLocaleString('en', { maximumFractionDigits: 2 })
  expect(text).toContain(`KES ACC-001 KES ${shown('float/ACC-001/KES')}`)
  expect(balance('reserved/ACC-001/KES')).toBeGreaterThan(0)
  expect(text).toContain(`Reserved for payouts and airtime KES ${shown('reserved/ACC-001/KES')}`)
  expect(text).toContain(`Held until a service is confirmed KES ${shown('held/ACC-001/KES')}`)
  expect(text).toContain(`UGX ACC-001-UGX UGX ${shown('float/ACC-001-UGX/UGX')}`)
  expect(text).toContain('PARTNER-001 KES 1,000')
})

test('a statement has every movement of one currency, and ends with the balance', async () => {
  const visitor = await signIn('viewer')
  const { statements } = await trade.control('/accounts/ACC-001/statement')
  const { balance, rows } = statements[0]
  expect(sum(rows.map(({ amount }: { amount: string }) => amount))).toBe(balance)
  const { html } = await visitor.open('/accounts/ACC-001')
  const text = readableIn(html)
  expect(text).toContain(`1–${rows.length} of ${rows.length}`)
  for (const { what } of rows) expect(text).toContain(what)
  expect(text).not.toContain('order-ugx')
  expect(html).toContain('href="/portal/payments/order-paid"')
  expect(html).toContain('href="/portal/airtime/AIRTIME-1/254722229101"')
  expect(readableIn((await visitor.open('/accounts/ACC-001-UGX')).html)).toContain('+UGX 75,000')
  expect(readableIn((await visitor.open('/accounts/ACC-001?q=WAGES-2&status=out')).html)).toContain(
    '1–1 of 1',
  )
})
