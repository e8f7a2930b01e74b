import { expect, test } from 'vitest'
import type { ChargeDialect } from '../../demo/sandbox/index.ts'
import type { WorldOptions } from '../support/world.ts'
import type { TrackedRecipient } from '../../server/api/airtime.ts'
import type { TrackedCharge } from '../../server/api/charge.ts'
import type { TrackedPayout } from '../../server/api/payout.ts'
import type { Transaction } from '../../server/store.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { trackedOf as airtimeOf } from '../../server/airtime/kind.ts'
import { readCharge } from '../../server/charges/record.ts'
import { trackedOf as chargeOf } from '../../server/charges/kind.ts'
import { compare, sum } from '../../server/contract/decimal.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { trackedOf as payoutOf } from '../../server/payouts/kind.ts'
import { CHARGE_DIALECTS, DIALECTS } from '../support/charge-dialects.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { RECIPIENT } from '../support/payable.ts'

type Shop = Awaited<ReturnType<typeof createChargeWorld>>

const DAY = 24 * 60 * 60_000
const FAULTS = [
  { fault: 'latency', ms: 20_000 },
  { fault: 'status', status: 500 },
  { fault: 'reset' },
  { fault: 'truncate' },
  { fault: 'html' },
  { fault: 'answer_lost' },
  { fault: 'token_expired' },
  { fault: 'callback_drop' },
  { fault: 'callback_delay', ms: 90_000 },
  { fault: 'callback_duplicate' },
  { fault: 'callback_reorder' },
  { fault: 'callback_corrupt' },
]

interface Entry {
  what: string
  reference: string
  lines: { account: string; amount: string }[]
}

// An item is a transaction, or one recipient of airtime.
interface Simulated<Item> {
  world?: WorldOptions
  count: number
  send(shop: Shop, n: number): Promise<unknown>
  pauseMs: number
  itemsOf(rows: Transaction[]): Item[]
  referenceOf(item: Item): string
  isAbout(item: Item, data: object): boolean
  inLedger(entries: Entry[], item: Item): object
  expected(item: Item): object
}

async function simulate<Item extends { outcome: string }>(fault: object, kind: Simulated<Item>) {
  const shop = await createChargeWorld({ seed: 7, ...kind.world })
  await shop.control('/faults', { route: '*', ...fault, probability: 0.3, seed: 11 })
  for (let n = 0; n < kind.count; n++) {
    await kind.send(shop, n)
    await shop.later(shop.random.between(0, kind.pauseMs))
  }
  await shop.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
  await shop.later(3 * DAY)

  const items = kind.itemsOf(await shop.rows())
  const ledger = await (await shop.sandbox.app.request('/_sandbox/ledger')).json()
  const { accounts, entries }: { accounts: { account: string; balance: string }[]; entries: Entry[] } = ledger
  expect(accounts.find(({ account }) => account === 'reserved/ACC-001/KES')?.balance ?? '0.00').toBe('0.00')
  for (const item of items) {
    const own = entries.filter(({ reference }) => reference === kind.referenceOf(item))
    expect([item, kind.inLedger(own, item)]).toEqual([item, kind.expected(item)])
    // Deliveries of an event may repeat. They have the same event id.
    const delivered = shop.delivered.filter(({ data }) => kind.isAbout(item, data))
    const events = [...new Map(delivered.map(({ id, type }) => [id, type.split('.')[1]])).values()]
    expect([item, events]).toEqual([item, [...new Set(events)]])
    expect([item, events]).toEqual([item, expect.arrayContaining([item.outcome])])
  }
  return { shop, items, entries }
}

const plain = (amount: string) => String(Number(amount))

function total(entries: Entry[], ...prefixes: string[]): string {
  const lines = entries.flatMap((entry) => entry.lines)
  const own = lines.filter(({ account }) => prefixes.some((prefix) => account.startsWith(prefix)))
  return plain(sum(own.map(({ amount }) => amount)))
}

const share = (all: number) => (process.env.FULL ? all : Math.ceil(all / FAULTS.length))

const payouts: Simulated<TrackedPayout> = {
  count: share(1_000),
  pauseMs: 2_000,
  send({ random, ...shop }, n) {
    const type = random.pick(['local', 'transfer', 'b2b'] as const)
    const amount = String(random.between(10, 500))
    const money = type === 'b2b' ? { amount } : { sender_amount: amount, recipient_amount: amount }
    // Last digits of the recipient's number. The sandbox pays 0001; the others are refused, fail or are reversed.
    const end = random.pick(['0001', '0001', '0001', '9007', '9009', '9010', '9101', '9102', '9108'])
    return shop.payOut(type, { payout_reference: `P-${n}`, ...money, [RECIPIENT[type]]: `25470000${end}` })
  },
  itemsOf: (rows) => rows.map((row) => payoutOf(readPayout(row))),
  referenceOf: (payout) => payout.payout_reference,
  isAbout: (payout, data) => 'payout_reference' in data && data.payout_reference === payout.payout_reference,
  inLedger: (entries) => ({
    delivered: total(entries, 'operators/', 'banks/'),
    unpaid: total(entries, 'float/', 'reserved/', 'fees/', 'operators/', 'banks/'),
  }),
  expected: ({ outcome, amount }) => ({
    delivered: outcome === 'succeeded' ? plain(amount) : '0',
    unpaid: '0',
  }),
}

test.each(FAULTS)(
  `with $fault at 30 %, ${payouts.count} mixed payouts settle once`,
  { timeout: payouts.count * 1_000 },
  async (fault) => {
    const { items } = await simulate(fault, payouts)
    expect(items).toHaveLength(payouts.count)
    expect(items.filter(({ settled }) => !settled)).toEqual([])
  },
)

const PARTNERS = ['PARTNER-001', 'PARTNER-002']

const charges = (dialect: ChargeDialect): Simulated<TrackedCharge> => ({
  world: { charges: dialect },
  count: share(180),
  pauseMs: 2_000,
  send({ random, ...shop }, n) {
    const amount = random.between(100, 500)
    const splits = PARTNERS.slice(0, random.between(0, PARTNERS.length))
    const split_settlements = splits.map((account) => ({
      account,
      amount: random.between(1, 30),
      reason: 'A share',
    }))
    // Last digits of the payer's number. Payers with 0001 pay; the others fail, pay another amount or are refunded.
    const ends = ['0001', '0001', '0001', '0001', '9001', '9001', '9005', '9006', '9007', '9009', '9010']
    const direct = dialect === 'flat' || random.happens(0.8) ? 'MOMO_KEN' : undefined
    return shop.charge({
      external_reference: `C-${n}`,
      amount,
      payer_msisdn: `25470000${random.pick(ends)}`,
      payment_method_code: direct,
      extra_data: { split_settlements },
      ...(random.happens(0.3) && { add_transaction_charge: true, transaction_charge: random.between(0, 20) }),
    })
  },
  itemsOf: (rows) => rows.map((row) => chargeOf(readCharge(row))),
  referenceOf: (charge) => charge.external_reference,
  isAbout: (charge, data) =>
    'external_reference' in data && data.external_reference === charge.external_reference,
  inLedger: (entries, charge) => ({
    shares: Object.fromEntries(
      ['PARTNER-FEES', ...PARTNERS].flatMap((account) => {
        const part = total(entries, `partner/${account}/`)
        return part === '0' ? [] : [[account, part]]
      }),
    ),
    merchant: total(entries, 'float/', 'owed/', 'fees/'),
    held: isUnfound(dialect, charge) ? '0' : total(entries, 'held/'),
    all: total(entries, ''),
  }),
  expected({ outcome, status, amount_paid, split_settlements, fulfilment }) {
    const isShared = fulfilment.stage === 'confirmed' && fulfilment.status === 'SUCCESSFUL'
    const wasTakenBack = outcome === 'reversed' || outcome === 'refunded'
    const isHeld = !isShared && !wasTakenBack && status !== null
    const shares = isShared
      ? split_settlements.map(({ account, amount }) => [account, plain(amount)] as const)
      : []
    const kept = sum([wasTakenBack ? '0' : amount_paid, ...shares.map(([, amount]) => `-${amount}`)])
    return {
      shares: Object.fromEntries(shares),
      merchant: isShared ? plain(kept) : '0',
      held: isHeld ? plain(amount_paid) : '0',
      all: '0',
    }
  },
})

// The answer was lost, so that the server cannot know the gateway's id of the charge.
function isUnfound(dialect: ChargeDialect, { outcome, status, charge_request_id }: TrackedCharge): boolean {
  return dialect === 'flat' && outcome === 'needs_attention' && status === null && charge_request_id === null
}

const MESSAGES_LOST = ['answer_lost', 'truncate', 'callback_drop', 'callback_corrupt', 'callback_reorder']
const CHARGES = DIALECTS.flatMap((dialect) =>
  FAULTS.filter(({ fault }) => process.env.FULL || dialect === 'spec' || MESSAGES_LOST.includes(fault)).map(
    (fault) => ({ dialect, fault }),
  ),
)

test.each(CHARGES)(
  `with $fault.fault at 30 %, ${share(180)} mixed charges ($dialect) settle once or need a person`,
  { timeout: share(180) * 6_000 },
  async ({ dialect, fault }) => {
    const kind = charges(dialect)
    const { shop, items } = await simulate(fault, kind)
    expect(items).toHaveLength(kind.count)
    const { requests } = await (await shop.sandbox.app.request('/_sandbox/requests')).json()
    // The sandbox logs `null` as the body of a request that a fault stopped, and 401 for an expired token.
    const accepted: string[] = requests.flatMap(({ path, status, body }: LoggedRequest) =>
      path === CHARGE_DIALECTS[dialect].path && status !== 401 && body !== null
        ? [body.external_reference]
        : [],
    )
    expect(new Set(accepted).size).toBe(accepted.length)
    // After a partial payment or a lost request, only a person can decide.
    const isForPerson = (charge: TrackedCharge) =>
      charge.outcome === 'needs_attention' &&
      (charge.status === 802 ||
        charge.discrepancy === 'short' ||
        isUnfound(dialect, charge) ||
        (charge.status === null && !accepted.includes(charge.external_reference)))
    expect(items.filter((charge) => !charge.settled && !isForPerson(charge))).toEqual([])
  },
)

interface LoggedRequest {
  path: string
  status: number
  body: { external_reference: string } | null
}

const RECIPIENTS = 8
const NEVER_ARRIVED =
  'It was sent once, its answer was lost, and the gateway does not know it. It is not sent again.'
// Requests that never arrived need a person; requests that the gateway rejected have failed.
const isUnknown = ({ attention, service_status }: TrackedRecipient) =>
  attention === NEVER_ARRIVED || service_status === null

const airtime: Simulated<TrackedRecipient> = {
  count: process.env.FULL ? 100 : 6,
  pauseMs: 10_000,
  async send({ random, ...shop }, n) {
    const ends = ['0001', '0001', '0001', '9007', '9009', '9010', '9101', '9113']
    const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({
      phone_number: `2547${index}000${random.pick(ends)}`,
      amount: `${random.between(10, 500)}.50`,
    }))
    expect((await shop.api('/airtime', { reference: `A-${n}`, recipients })).status).toBe(201)
  },
  itemsOf: (rows) => rows.flatMap((row) => airtimeOf([readAirtime(row)]).recipients),
  referenceOf: ({ external_reference, phone_number }) => `${external_reference}/${phone_number}`,
  isAbout: (recipient, data) =>
    'external_reference' in data &&
    'phone_number' in data &&
    data.external_reference === recipient.external_reference &&
    data.phone_number === recipient.phone_number,
  inLedger(entries, { amount }) {
    const loaded = total(entries, 'operators/KES')
    return {
      delivered: entries.filter(({ what }) => what === 'airtime delivered').length,
      hasAll: compare(loaded, amount ?? '0') === 0,
      hasNothing: loaded === '0',
    }
  },
  expected({ outcome }) {
    const hasAll = outcome === 'succeeded'
    const delivered = ['succeeded', 'reversed', 'refunded'].includes(outcome) ? 1 : 0
    return { delivered, hasAll, hasNothing: !hasAll }
  },
}

test.each(FAULTS)(
  `with $fault at 30 %, ${airtime.count * RECIPIENTS} recipients settle once`,
  { timeout: airtime.count * 20_000 },
  async (fault) => {
    const { items, entries } = await simulate(fault, airtime)
    expect(items).toHaveLength(airtime.count * RECIPIENTS)
    for (const recipient of items) {
      const taken = entries.filter(({ reference }) => reference === recipient.external_reference)
      expect([recipient, taken.length]).toEqual([recipient, isUnknown(recipient) ? 0 : 1])
    }
  },
)
