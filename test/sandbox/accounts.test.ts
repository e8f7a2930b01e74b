import { expect, it } from 'vitest'
import { createLedger, fund, transfer } from '../../demo/sandbox/money/ledger.ts'
import { PAYOUTS, openMerchant, payout } from './merchant.ts'
import type { Movement } from '../../demo/sandbox/money/ledger.ts'

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
  const lines = transfer('float/ACC-001/KES', 'customers/KES', '5.01')
  const tooMuch: Movement = { what: 'too much', reference: 'x', lines }
  expect(ledger.overdrawnBy(tooMuch)).toBe('float/ACC-001/KES')
  expect(() => ledger.post(tooMuch, 0)).toThrow('would overdraw float/ACC-001/KES')
  expect(ledger.entries()).toHaveLength(1)
  expect(ledger.balanceOf('customers/KES')).toBe('0.00')
})
