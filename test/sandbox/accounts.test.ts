import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, sum } from '../../server/contract/decimal.ts'
import { openMerchant, request } from './merchant.ts'
import { B2B, PAYOUTS, SECOND, b2b, openPayoutMerchant, payout } from './payout-merchant.ts'

const RUNS = process.env.FULL ? 5_000 : 50
const LIMIT_MS = process.env.FULL ? 900_000 : 30_000

describe('the float account', () => {
  it('has a balance, a currency and a status', async () => {
    const merchant = await openPayoutMerchant()
    const headers = { 'x-access-token': merchant.token() }
    const answer = await merchant.get('/v1/accounts/ACC-001/balance', headers)
    expect(await answer.json()).toEqual({ balance: '1000000.00', currency: 'KES', status: 'ACTIVE' })
    expect((await merchant.get('/v1/accounts/ACC-002/balance', headers)).status).toBe(404)
    expect((await merchant.get('/v1/accounts/ACC-001/balance')).status).toBe(401)
  })

  it('has a statement that explains its balance', async () => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout())
    await merchant.later(5 * SECOND)
    await merchant.play('refund')
    const answer = await merchant.get('/_sandbox/accounts/ACC-001/statement')
    expect(await answer.json()).toEqual({
      account_number: 'ACC-001',
      statements: [
        {
          currency: 'KES',
          balance: '999987.50',
          rows: [
            row('2026-11-21T09:00:00.000Z', 'test funds', 'ACC-001', '1000000.00', '1000000.00'),
            row('2026-11-21T09:00:00.000Z', 'payout reserved', 'payout-1', '-1012.50', '998987.50'),
            row('2026-11-21T09:00:05.000Z', 'payout refunded', 'payout-1', '1000.00', '999987.50'),
          ],
        },
      ],
    })
    expect((await merchant.get('/_sandbox/accounts/ACC-002/statement')).status).toBe(404)
  })

  it('is credited with payments and debited with reversals', async () => {
    const merchant = await openMerchant()
    const balance = async () =>
      (
        await (
          await merchant.get('/v1/accounts/ACC-001/balance', { 'x-access-token': merchant.token() })
        ).json()
      ).balance
    await merchant.begin()
    await merchant.pay('partial', { amount: '200.50' })
    expect(await balance()).toBe('1000200.50')
    await merchant.pay('approve')
    expect(await balance()).toBe('1000500.00')
    await merchant.pay('refund')
    expect(await balance()).toBe('1000000.00')
  })

  it('owes what is given back after the float was spent', async () => {
    const merchant = await openPayoutMerchant()
    const checkout = await openCheckout(merchant)
    await checkout('approve')
    const all = { sender_amount: '1000400.00', recipient_amount: '1000400.00' }
    await merchant.accepted(PAYOUTS, payout(all))
    await checkout('reverse')
    expect(await merchant.balance()).toBe('0.00')
    const { accounts, totals } = await merchant.ledger()
    expect(accounts).toContainEqual({ account: 'owed/ACC-001/KES', balance: '-412.50' })
    expect(totals).toEqual({ KES: '0.00' })
  })
})

it('the ledger can be filtered by payout', async () => {
  const merchant = await openPayoutMerchant()
  await merchant.accepted(B2B, b2b())
  await merchant.accepted(PAYOUTS, payout({ payout_reference: 'payout-2' }))
  const { entries } = await merchant.ledger('payout-1')
  expect(entries).toEqual([
    {
      what: 'payout reserved',
      reference: 'payout-1',
      at: '2026-11-21T09:00:00.000Z',
      lines: [
        { account: 'float/ACC-001/KES', amount: '-2530.50' },
        { account: 'reserved/ACC-001/KES', amount: '2530.50' },
      ],
    },
  ])
})

it(
  'after any sequence of payouts and scenarios, the ledger agrees with the callbacks',
  async () => {
    const cents = fc.integer({ min: 1, max: 30_000_000 }).map((value) => (value / 100).toFixed(2))
    const digits = fc.constantFrom('0001', '9007', '9008', '9009', '9010', '9101')
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('local' as const),
        amount: cents,
        digits,
      }),
      fc.record({ kind: fc.constant('b2b' as const), amount: cents, digits }),
      fc.record({
        kind: fc.constant('play' as const),
        which: fc.nat(9),
        scenario: fc.constantFrom('success', 'decline', 'slow', 'jam', 'reverse', 'refund', 'failed'),
      }),
      fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const merchant = await openPayoutMerchant()
        let sent = 0
        for (const next of steps) {
          await take(merchant, next, () => `payout-${sent++ % 10}`)
          await check(merchant)
        }
      }),
      { numRuns: RUNS },
    )
  },
  LIMIT_MS,
)

type Sender = Awaited<ReturnType<typeof openPayoutMerchant>>
type Step =
  | { kind: 'local' | 'b2b'; amount: string; digits: string }
  | { kind: 'play'; which: number; scenario: string }
  | { kind: 'wait'; seconds: number }

async function take(merchant: Sender, step: Step, reference: () => string): Promise<void> {
  switch (step.kind) {
    case 'local': {
      const { amount, digits } = step
      const recipient_phone_number = `25470000${digits}`
      const money = { sender_amount: amount, recipient_amount: amount }
      await merchant.send(
        PAYOUTS,
        payout({ payout_reference: reference(), recipient_phone_number, ...money }),
      )
      return
    }
    case 'b2b': {
      const { amount, digits } = step
      const fields = { payout_reference: reference(), recipient_account_number: `60${digits}`, amount }
      await merchant.send(B2B, b2b(fields))
      return
    }
    case 'play':
      await merchant.play(step.scenario, `payout-${step.which}`)
      return
    case 'wait':
      await merchant.later(step.seconds * SECOND)
  }
}

/** The balance is what was there, less what every payout says it holds or has cost. */
async function check(merchant: Sender): Promise<void> {
  const { accounts, totals, entries } = await merchant.ledger()
  for (const total of Object.values(totals)) expect(total).toBe('0.00')
  for (const { account, balance } of accounts)
    if (/^(float|reserved)/.test(account)) expect(compare(balance, '0')).not.toBe(-1)
  const known = new Set<string>(entries.map(({ reference }: { reference: string }) => reference))
  known.delete('ACC-001')
  const spent = await Promise.all([...known].map((reference) => costOf(merchant, reference)))
  expect(sum([await merchant.balance(), ...spent])).toBe('1000000.00')
}

/** [spec: Payout payment status] 701 and 702 cost nothing, 705 the fee, and the others amount and fee. */
async function costOf(merchant: Sender, reference: string): Promise<string> {
  const local = await merchant.status(reference)
  const { payment_status, amount } = local.data ?? (await merchant.statusOfB2b(reference))
  const fee = local.data ? '12.50' : '30.00'
  if (payment_status === 701 || payment_status === 702) return '0.00'
  return payment_status === 705 ? fee : sum([amount, fee])
}

async function openCheckout(merchant: Sender) {
  expect((await merchant.send('/v2/checkout/initiate', request())).status).toBe(200)
  return (scenario: string) => merchant.post('/_sandbox/checkouts/order-1/pay', { scenario })
}

function row(at: string, what: string, reference: string, amount: string, balance: string) {
  return { at, what, reference, amount, balance }
}
