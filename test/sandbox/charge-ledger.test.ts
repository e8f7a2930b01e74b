import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compare, subtract, sum } from '../../server/contract/decimal.ts'
import { SECOND, openChargeMerchant } from './charge-merchant.ts'

const RUNS = process.env.FULL ? 3_000 : 50
const LIMIT_MS = process.env.FULL ? 900_000 : 30_000
const FUNDED = '1000000.00'
/** What the gateway keeps where the payer bears it. */
const FEE = '15.00'

const cents = fc.integer({ min: 1, max: 20_000_000 }).map((value) => (value / 100).toFixed(2))
const step = fc.oneof(
  fc.record({
    kind: fc.constant('charge' as const),
    shares: fc.array(cents, { maxLength: 2 }),
    rest: cents,
    hasFee: fc.boolean(),
    isDirect: fc.boolean(),
    digits: fc.constantFrom('0001', '0002', '9001', '9005', '9006', '9007', '9008', '9009', '9010'),
  }),
  fc.record({
    kind: fc.constant('pay' as const),
    which: fc.nat(),
    scenario: fc.constantFrom(
      'approve',
      'approve',
      'partial',
      'overpay',
      'cancel',
      'slow',
      'jam',
      'reverse',
      'refund',
    ),
  }),
  fc.record({
    kind: fc.constant('confirm' as const),
    which: fc.nat(),
    payment: fc.nat(3),
    status: fc.constantFrom('SUCCESSFUL', 'SUCCESSFUL', 'FAILED'),
  }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type ChargeMerchant = Awaited<ReturnType<typeof openChargeMerchant>>

/** A charge as its merchant knows it. */
interface Known {
  id: string
  shares: string[]
  fee: string
  /** What was received when the service was confirmed. */
  confirmed: { status: string; received: string } | null
}

it(
  'after any sequence of charges, payments and confirmations, the ledger agrees with the statuses',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const merchant = await openChargeMerchant()
        const charges: Known[] = []
        for (const next of steps) {
          await take(merchant, next, charges)
          await check(merchant, charges)
        }
      }),
      { numRuns: RUNS },
    )
  },
  LIMIT_MS,
)

async function take(merchant: ChargeMerchant, next: Step, charges: Known[]): Promise<void> {
  switch (next.kind) {
    case 'charge':
      await charge(merchant, next, charges)
      return
    case 'pay':
      await merchant.pay(next.scenario, {}, charges[next.which % charges.length]?.id)
      return
    case 'confirm': {
      const known = charges[next.which % charges.length]
      if (known) await confirm(merchant, known, next)
      return
    }
    case 'wait':
      await merchant.later(next.seconds * SECOND)
  }
}

async function charge(
  merchant: ChargeMerchant,
  { shares, rest, hasFee, isDirect, digits }: Extract<Step, { kind: 'charge' }>,
  charges: Known[],
): Promise<void> {
  const id = `order-${charges.length}`
  const splits = shares.map((amount) => ({ account: 'PARTNER-001', amount, reason: 'Cloth' }))
  const dynamic = { account: 'PARTNER-FEES', amount: 1, reason: 'Platform fee' }
  await merchant.charge({
    external_reference: id,
    payer_msisdn: `25470000${digits}`,
    amount: sum([rest, '1', ...shares]),
    add_transaction_charge: hasFee,
    payment_method_code: isDirect ? 'MOMO_KEN' : undefined,
    extra_data: { split_settlements: shares.length > 0 ? [...splits, dynamic] : undefined },
  })
  const all = shares.length > 0 ? [...shares, '1'] : []
  charges.push({ id, shares: all, fee: hasFee ? FEE : '0', confirmed: null })
}

/** A refusal must say why, and what was said before must not become another word. */
async function confirm(
  merchant: ChargeMerchant,
  known: Known,
  { payment, status }: Extract<Step, { kind: 'confirm' }>,
): Promise<void> {
  const { amount, payments } = await merchant.status(known.id)
  if (payments.length === 0) return
  const answer = await merchant.confirm(payments[payment % payments.length].transaction_id, status)
  if (answer.ok) {
    expect(known.confirmed?.status ?? status).toBe(status)
    known.confirmed ??= { status, received: amount }
  } else {
    expect([400, 409]).toContain(answer.status)
    expect(known.confirmed?.status).not.toBe(status)
  }
}

async function check(merchant: ChargeMerchant, charges: Known[]): Promise<void> {
  const { accounts, totals } = await merchant.ledger()
  const balances = new Map<string, string>()
  for (const { account, balance } of accounts) {
    balances.set(account, balance)
    if (/^(float|held|partner)/.test(account)) expect(compare(balance, '0')).not.toBe(-1)
  }
  expect(totals).toEqual({ KES: '0.00' })

  const settled = await Promise.all(
    charges.map(async (known) => ({ known, received: (await merchant.status(known.id)).amount })),
  )
  const same = (account: string, amount: string) =>
    expect([account, compare(balances.get(account) ?? '0', amount)]).toEqual([account, 0])
  same('customers/KES', subtract('0', sum(settled.map(({ received }) => received))))
  const waiting = settled.filter(({ known }) => known.confirmed === null)
  same('held/ACC-001/KES', sum(waiting.map(({ received }) => received)))

  const done = settled.filter(({ known }) => known.confirmed?.status === 'SUCCESSFUL')
  same('partner/PARTNER-FEES/KES', String(done.filter(({ known }) => known.shares.length > 0).length))
  const shared = sum(done.flatMap(({ known }) => known.shares))
  const partners = ['partner/PARTNER-001/KES', 'partner/PARTNER-FEES/KES']
  expect(compare(sum(partners.map((partner) => balances.get(partner) ?? '0')), shared)).toBe(0)
  const ofMerchant = ['float/ACC-001/KES', 'owed/ACC-001/KES', 'fees/KES']
  const kept = sum(ofMerchant.map((account) => balances.get(account) ?? '0'))
  expect(compare(kept, sum([FUNDED, ...done.map(({ received }) => received), `-${shared}`]))).toBe(0)
}
