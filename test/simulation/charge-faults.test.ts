import { expect, test } from 'vitest'
import type { TrackedCharge } from '../../server/api/charge.ts'
import { readCharge } from '../../server/charges/record.ts'
import { trackedOf } from '../../server/charges/tracked.ts'
import { compare, sum } from '../../server/contract/decimal.ts'
import { createBiller } from '../support/biller.ts'
import { calm, FAULTS, ledger, plain, strike } from './faults.ts'
import type { Entry, Line } from './faults.ts'

type Biller = Awaited<ReturnType<typeof createBiller>>

const HOUR = 3_600_000

/** In all; with FULL=1 for each fault. */
const CHARGES = 180
const EACH = process.env.FULL ? CHARGES : Math.ceil(CHARGES / FAULTS.length)

/** Most pay; the others fail, pay a part, pay too much, or have their money back. */
const ENDS = ['0001', '0001', '0001', '0001', '9001', '9001', '9005', '9006', '9007', '9009', '9010']
const PARTNERS = ['PARTNER-001', 'PARTNER-002']

test.each(FAULTS)(
  `with $fault at 30 %, ${EACH} mixed charges come to what the books say: shares, float and fees are what came in`,
  { timeout: EACH * 6_000 },
  async (fault) => {
    const shop = await createBiller({ seed: 7 })
    await strike(shop, fault)
    for (let n = 0; n < EACH; n++) {
      await shop.charge(draw(shop, n))
      await shop.later(shop.chance.between(0, 2_000))
    }
    await calm(shop)
    await shop.later(3 * HOUR)

    const charges = (await shop.rows()).map((row) => trackedOf(readCharge(row)))
    expect(charges).toHaveLength(EACH)
    const { entries } = await ledger(shop)
    for (const charge of charges) {
      const books = inBooks(entries, charge)
      expect([charge, books]).toEqual([charge, expected(charge)])
      expect(new Set(tellings(shop, charge)).size).toBe(tellings(shop, charge).length)
    }
    const references = (await taken(shop)).map(({ external_reference }) => external_reference)
    expect(new Set(references).size).toBe(references.length)
  },
)

/** A charge of some amount, of which partners get less. */
function draw({ chance }: Biller, n: number): object {
  const amount = chance.between(100, 500)
  const split_settlements = PARTNERS.slice(0, chance.between(0, PARTNERS.length)).map((account) => ({
    account,
    amount: chance.between(1, 30),
    reason: 'A share',
  }))
  const direct = chance.happens(0.8) ? 'MOMO_KEN' : undefined
  return {
    external_reference: `C-${n}`,
    amount,
    payer_msisdn: `25470000${chance.pick(ENDS)}`,
    payment_method_code: direct,
    extra_data: { split_settlements },
    ...(chance.happens(0.3) && { add_transaction_charge: true, transaction_charge: chance.between(0, 20) }),
  }
}

/** The charges that the gateway read: not those that a fault or a spent token stopped. */
async function taken(shop: Biller): Promise<{ external_reference: string }[]> {
  const { requests } = await (await shop.sandbox.app.request('/_sandbox/requests')).json()
  return requests.flatMap(({ path, status, body }: { path: string; status: number; body: object | null }) =>
    path === '/v1/charges' && status !== 401 && body !== null ? [body] : [],
  )
}

/** Where the money of a charge lies now. */
function inBooks(entries: Entry[], { external_reference }: TrackedCharge) {
  const lines = entries
    .filter(({ reference }) => reference === external_reference)
    .flatMap((entry) => entry.lines)
  const total = (prefix: string) => of(lines, prefix)
  const partners = ['PARTNER-FEES', ...PARTNERS].flatMap((account) => {
    const share = total(`partner/${account}/`)
    return share === '0' ? [] : [[account, share] as const]
  })
  return {
    shares: Object.fromEntries(partners),
    merchant: plain(sum([total('float/'), total('owed/'), total('fees/')])),
    held: total('held/'),
    all: plain(sum(lines.map(({ amount }) => amount))),
  }
}

/** What the merchant's records say of it: nothing is counted twice, and nothing is missing. */
function expected(charge: TrackedCharge) {
  const { outcome, status, amount_paid, split_settlements, fulfilment } = charge
  const isShared = fulfilment.stage === 'confirmed' && fulfilment.status === 'SUCCESSFUL'
  const wasTakenBack = outcome === 'reversed' || outcome === 'refunded'
  const shares = isShared
    ? Object.fromEntries(split_settlements.map(({ account, amount }) => [account, plain(amount)]))
    : {}
  const shared = sum(Object.values(shares))
  // [assumed] What is taken back after it was shared is taken from the merchant.
  const kept = plain(sum([wasTakenBack ? '0' : amount_paid, `-${shared}`]))
  return {
    shares,
    merchant: isShared ? kept : '0',
    held:
      isShared || wasTakenBack || status === null || compare(amount_paid, '0') === 0
        ? '0'
        : plain(amount_paid),
    all: '0',
  }
}

function of(lines: Line[], prefix: string): string {
  return plain(sum(lines.filter(({ account }) => account.startsWith(prefix)).map(({ amount }) => amount)))
}

/** The outcomes of which the merchant was told, by event. */
function tellings(shop: Biller, { external_reference }: TrackedCharge): string[] {
  const told = shop.heard.filter(
    ({ data }) => 'external_reference' in data && data.external_reference === external_reference,
  )
  const events = new Map(told.map(({ id, type }) => [id, type]))
  return [...events.values()].filter((type) => type !== 'charge.needs_attention')
}
