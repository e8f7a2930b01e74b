import { expect, test } from 'vitest'
import type { TrackedCharge } from '../../server/api/charge.ts'
import { readCharge } from '../../server/charges/record.ts'
import { trackedOf } from '../../server/charges/tracked.ts'
import { compare, sum } from '../../server/contract/decimal.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { calm, eventTypes, FAULTS, ledger, plain, strike } from './faults.ts'
import type { Entry, Line } from './faults.ts'

type ChargeWorld = Awaited<ReturnType<typeof createChargeWorld>>

const HOUR = 3_600_000

/** In all; with FULL=1 for each fault. */
const CHARGES = 180
const EACH = process.env.FULL ? CHARGES : Math.ceil(CHARGES / FAULTS.length)

/** Most payers pay; the others fail, pay a part, pay too much, or get their money back. */
const ENDS = ['0001', '0001', '0001', '0001', '9001', '9001', '9005', '9006', '9007', '9009', '9010']
const PARTNERS = ['PARTNER-001', 'PARTNER-002']

test.each(FAULTS)(
  `with $fault at 30 %, ${EACH} mixed charges settle or need a person, and shares, float and fees equal what the payers paid`,
  { timeout: EACH * 6_000 },
  async (fault) => {
    const shop = await createChargeWorld({ seed: 7 })
    await strike(shop, fault)
    for (let n = 0; n < EACH; n++) {
      await shop.charge(draw(shop, n))
      await shop.later(shop.random.between(0, 2_000))
    }
    await calm(shop)
    await shop.later(3 * HOUR)

    const charges = (await shop.rows()).map((row) => trackedOf(readCharge(row)))
    expect(charges).toHaveLength(EACH)
    const accepted = await acceptedBy(shop)
    expect(charges.filter((charge) => !charge.settled && !isForPerson(charge, accepted))).toEqual([])
    const { entries } = await ledger(shop)
    for (const charge of charges) {
      expect([charge, inLedger(entries, charge)]).toEqual([charge, expected(charge)])
      const { external_reference } = charge
      const events = eventTypes(
        shop,
        (data) => 'external_reference' in data && data.external_reference === external_reference,
      )
      expect([charge, events]).toEqual([charge, [...new Set(events)]])
      expect([charge, events]).toEqual([charge, expect.arrayContaining([`charge.${charge.outcome}`])])
    }
    expect(new Set(accepted).size).toBe(accepted.length)
  },
)

/** A charge of a random amount, split among up to two partners. */
function draw({ random }: ChargeWorld, n: number): object {
  const amount = random.between(100, 500)
  const split_settlements = PARTNERS.slice(0, random.between(0, PARTNERS.length)).map((account) => ({
    account,
    amount: random.between(1, 30),
    reason: 'A share',
  }))
  const direct = random.happens(0.8) ? 'MOMO_KEN' : undefined
  return {
    external_reference: `C-${n}`,
    amount,
    payer_msisdn: `25470000${random.pick(ENDS)}`,
    payment_method_code: direct,
    extra_data: { split_settlements },
    ...(random.happens(0.3) && { add_transaction_charge: true, transaction_charge: random.between(0, 20) }),
  }
}

/** The references that the gateway accepted: not those that a fault or an expired token stopped. */
async function acceptedBy(shop: ChargeWorld): Promise<string[]> {
  const { requests } = await (await shop.sandbox.app.request('/_sandbox/requests')).json()
  return requests.flatMap(({ path, status, body }: LoggedRequest) =>
    path === '/v1/charges' && status !== 401 && body !== null ? [body.external_reference] : [],
  )
}

interface LoggedRequest {
  path: string
  status: number
  body: { external_reference: string } | null
}

/** A part was paid, or the request was lost on its way: only a person can settle these. */
function isForPerson({ external_reference, outcome, status }: TrackedCharge, accepted: string[]): boolean {
  const isLost = status === null && !accepted.includes(external_reference)
  return outcome === 'needs_attention' && (status === 802 || isLost)
}

/** Where the ledger has the money of a charge. */
function inLedger(entries: Entry[], { external_reference }: TrackedCharge) {
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

/** Where the money has to be, by the merchant's records. */
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
