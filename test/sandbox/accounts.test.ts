import { expect, it } from 'vitest'
import { createLedger, fund } from '../../demo/sandbox/money/ledger.ts'
import { giveBack } from '../../demo/sandbox/sessions/movements.ts'
import { FUNDED, PAYOUTS, SECOND, openMerchant, payout } from './merchant.ts'
import type { Movement } from '../../demo/sandbox/money/ledger.ts'

it('the float account has a statement that explains its balance', async () => {
  const merchant = await openMerchant()
  await merchant.accepted(PAYOUTS, payout())
  await merchant.later(5 * SECOND)
  await merchant.play('refund')
  expect(await merchant.control('/accounts/ACC-001/statement')).toEqual({
    account_number: 'ACC-001',
    statements: [
      {
        currency: 'KES',
        balance: '999987.50',
        rows: [
          row('2026-11-21T09:00:00.000Z', 'test funds', 'ACC-001', FUNDED, FUNDED),
          row('2026-11-21T09:00:00.000Z', 'payout reserved', 'payout-1', '-1012.50', '998987.50'),
          row('2026-11-21T09:00:05.000Z', 'payout refunded', 'payout-1', '1000.00', '999987.50'),
        ],
      },
    ],
  })
  expect((await merchant.get('/_sandbox/accounts/ACC-002/statement')).status).toBe(404)
  const account = { balance: '999987.50', currency: 'KES', status: 'ACTIVE' }
  expect(await merchant.read('/v1/accounts/ACC-001/balance')).toEqual(account)
})

it('the float account owes what is given back after it was spent', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.pay('approve')
  await merchant.accepted(PAYOUTS, payout({ sender_amount: '1000400.00', recipient_amount: '1000400.00' }))
  await merchant.pay('reverse')
  expect(await merchant.balance()).toBe('0.00')
  expect(await merchant.balanceOf('owed/ACC-001/KES')).toBe('-412.50')
  expect((await merchant.ledger()).totals).toMatchObject({ KES: '0.00' })
})

it('an unbalanced or overdrawing entry is refused and writes nothing', () => {
  const ledger = createLedger()
  const unbalanced: Movement = {
    what: 'unbalanced',
    reference: 'x',
    lines: [
      { account: 'float/ACC-001/KES', amount: '5' },
      { account: 'world/UGX', amount: '-5' },
    ],
  }
  expect(() => ledger.post(unbalanced, 0)).toThrow('does not add up')
  ledger.post(fund('ACC-001', 'KES', '5.00'), 0)
  const tooMuch = giveBack({ reference: 'x', accountNumber: 'ACC-001', currency: 'KES', amount: '5.01' }, '9')
  expect(ledger.overdrawnBy(tooMuch)).toBe('float/ACC-001/KES')
  expect(() => ledger.post(tooMuch, 0)).toThrow('would overdraw float/ACC-001/KES')
  expect(ledger.entries()).toHaveLength(1)
  expect(ledger.balanceOf('customers/KES')).toBe('0.00')
})

function row(at: string, what: string, reference: string, amount: string, balance: string) {
  return { at, what, reference, amount, balance }
}
