import { expect, test } from 'vitest'
import type { TrackedPayout } from '../../server/api/payout.ts'
import { sum } from '../../server/contract/decimal.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { trackedOf } from '../../server/payouts/tracked.ts'
import { RECIPIENT } from '../support/payable.ts'
import { createWorld } from '../support/world.ts'
import { calm, eventTypes, FAULTS, ledger, plain, strike } from './faults.ts'
import type { Entry } from './faults.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** In all; with FULL=1 for each fault. */
const PAYOUTS = 1_000
const EACH = process.env.FULL ? PAYOUTS : Math.ceil(PAYOUTS / FAULTS.length)

const TYPES = ['local', 'transfer', 'b2b'] as const
/** Most succeed; the others fail, jam, are reversed or are refused. */
const ENDS = ['0001', '0001', '0001', '9007', '9009', '9010', '9101', '9102', '9108']

test.each(FAULTS)(
  `with $fault at 30 %, ${EACH} mixed payouts settle and the merchant's records equal the ledger`,
  { timeout: EACH * 1_000 },
  async (fault) => {
    const shop = await createWorld({ seed: 7 })
    const { random } = shop
    await strike(shop, fault)

    for (let n = 0; n < EACH; n++) {
      const type = random.pick(TYPES)
      const amount = String(random.between(10, 500))
      const money = type === 'b2b' ? { amount } : { sender_amount: amount, recipient_amount: amount }
      const to = { [RECIPIENT[type]]: `25470000${random.pick(ENDS)}` }
      await shop.payOut(type, { payout_reference: `P-${n}`, ...money, ...to })
      await shop.later(random.between(0, 2_000))
    }
    await calm(shop)
    await shop.later(3 * DAY)

    const payouts = (await shop.rows()).map((row) => trackedOf(readPayout(row)))
    expect(payouts).toHaveLength(EACH)
    expect(payouts.filter(({ settled }) => !settled)).toEqual([])
    const { accounts, entries } = await ledger(shop)
    expect(accounts.find(({ account }) => account === 'reserved/ACC-001/KES')?.balance ?? '0.00').toBe('0.00')
    for (const payout of payouts) {
      expect([payout, inLedger(entries, payout)]).toEqual([payout, expected(payout)])
      const { payout_reference } = payout
      const events = eventTypes(
        shop,
        (data) => 'payout_reference' in data && data.payout_reference === payout_reference,
      )
      expect([payout, events]).toEqual([payout, [...new Set(events)]])
      expect(events.map((type) => type.split('.')[1])).toContain(payout.outcome)
    }
  },
)

/** What left the merchant's money for this payout, and what of it reached the recipient. */
function inLedger(entries: Entry[], { payout_reference }: TrackedPayout) {
  const lines = entries
    .filter(({ reference }) => reference === payout_reference)
    .flatMap((entry) => entry.lines)
  const total = (prefixes: string[]) =>
    sum(
      lines
        .filter(({ account }) => prefixes.some((prefix) => account.startsWith(prefix)))
        .map(({ amount }) => amount),
    )
  return {
    delivered: plain(total(['operators/', 'banks/'])),
    unpaid: plain(sum([total(['float/', 'reserved/']), total(['fees/']), total(['operators/', 'banks/'])])),
  }
}

/** What the merchant's records say: only a success reached somebody, and nothing is missing. */
function expected({ outcome, amount }: TrackedPayout) {
  return { delivered: outcome === 'succeeded' ? plain(amount) : '0', unpaid: '0' }
}
