import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compare, subtract, sum } from '../../server/contract/decimal.ts'
import { charge } from '../support/spec-charges.ts'
import { AIRTIME, B2B, CHARGES, FUNDED, PAYOUTS, SECOND } from './merchant.ts'
import { b2b, openMerchant, payout } from './merchant.ts'
import type { Merchant } from './merchant.ts'

const RUNS = process.env.FULL ? 10_000 : 100
const LIMIT_MS = process.env.FULL ? 1_800_000 : 60_000

const cents = fc.integer({ min: 1, max: 20_000_000 }).map((value) => (value / 100).toFixed(2))
const digits = fc.constantFrom('0001', '9001', '9005', '9006', '9007', '9008', '9009', '9010', '9101', '9113')
const SCENARIOS =
  'approve partial overpay cancel slow jam reverse refund success decline failed reprocess'.split(' ')
const step = fc.oneof(
  fc.record({
    kind: fc.constant('payout' as const),
    to: fc.constantFrom('wallet', 'bank', 'abroad', 'business'),
    amount: cents,
    digits,
  }),
  fc.record({
    kind: fc.constant('airtime' as const),
    recipients: fc.array(fc.record({ digits, amount: cents }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('checkout' as const), amount: fc.integer({ min: 1, max: 90_000 }), digits }),
  fc.record({
    kind: fc.constant('charge' as const),
    shares: fc.array(cents, { maxLength: 2 }),
    rest: cents,
    hasFee: fc.boolean(),
    isDirect: fc.boolean(),
    digits,
  }),
  fc.record({
    kind: fc.constant('play' as const),
    which: fc.nat(),
    scenario: fc.constantFrom(...SCENARIOS),
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
type Charge = Extract<Step, { kind: 'charge' }>

interface Transaction {
  reference: string
  play(scenario: string): unknown
}
interface Payout extends Transaction {
  isB2b: boolean
  amount: string
}
interface Recipient extends Transaction {
  phone: string
  amount: string
}
interface Session extends Transaction {
  /** The details of a charge; `null` for a checkout. */
  charge: { shares: string[]; fee: string; confirmed: string | null } | null
}
interface Books {
  merchant: Merchant
  payouts: Payout[]
  airtime: Recipient[]
  sessions: Session[]
}

const PART_BELOW_FEE: Step[] = [
  { kind: 'charge', shares: [], rest: '1', hasFee: true, isDirect: false, digits: '0001' },
  { kind: 'play', which: 0, scenario: 'partial' },
  { kind: 'confirm', which: 0, payment: 0, status: 'SUCCESSFUL' },
]

it(
  'after any sequence of transactions, scenarios and confirmations, the ledger agrees with the statuses',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const books: Books = { merchant: await openMerchant(), payouts: [], airtime: [], sessions: [] }
        for (const [index, next] of steps.entries()) {
          await take(books, next, `ref-${index}`)
          await expectBalancesMatchStatuses(books)
        }
      }),
      { numRuns: RUNS, examples: [[PART_BELOW_FEE]] },
    )
  },
  LIMIT_MS,
)

async function take(books: Books, next: Step, reference: string): Promise<void> {
  const { merchant, payouts, airtime, sessions } = books
  const phone = (index: number, ending: string) => `25470${index}00${ending}`
  switch (next.kind) {
    case 'payout': {
      const { to, amount } = next
      const [path, body] = await payoutRequest(merchant, next)
      const { ok } = await merchant.send(path, { ...body, payout_reference: reference })
      const play = (scenario: string) => merchant.play(scenario, reference)
      if (ok) payouts.push({ reference, amount, isB2b: to === 'business', play })
      return
    }
    case 'airtime': {
      const recipients = next.recipients.map(({ digits: ending, amount }, index) => ({
        phone_number: phone(index, ending),
        amount,
      }))
      const { ok } = await merchant.send(AIRTIME, { reference, recipients })
      if (!ok) return
      for (const { phone_number, amount } of recipients) {
        const play = (scenario: string) => merchant.playAirtime(scenario, phone_number, reference)
        airtime.push({ reference, phone: phone_number, amount, play })
      }
      return
    }
    case 'checkout': {
      const payer_msisdn = phone(0, next.digits)
      await merchant.begin({ merchant_transaction_id: reference, amount: next.amount, payer_msisdn })
      await merchant.pay(undefined, {}, reference)
      sessions.push({ reference, charge: null, play: (scenario) => merchant.pay(scenario, {}, reference) })
      return
    }
    case 'charge': {
      const known = await postCharge(merchant, next, reference)
      sessions.push({ reference, charge: known, play: (scenario) => merchant.pay(scenario, {}, reference) })
      return
    }
    case 'play': {
      const all: Transaction[] = [...payouts, ...airtime, ...sessions]
      await all[next.which % all.length]?.play(next.scenario)
      return
    }
    case 'confirm': {
      const charges = sessions.filter((session) => session.charge)
      const known = charges[next.which % charges.length]
      if (known) await confirm(merchant, known, next)
      return
    }
    case 'wait':
      await merchant.later(next.seconds * SECOND)
  }
}

async function payoutRequest(
  merchant: Merchant,
  { to, amount, digits: ending }: Extract<Step, { kind: 'payout' }>,
) {
  if (to === 'business') return [B2B, b2b({ recipient_account_number: `60${ending}`, amount })] as const
  const body = {
    recipient_phone_number: `25470000${ending}`,
    sender_amount: amount,
    recipient_amount: amount,
  }
  if (to === 'wallet') return [PAYOUTS, payout(body)] as const
  const bank = { destination_type: 'BANK', destination_name: 'Bank of Pwani', recipient_bank_code: '01' }
  if (to === 'bank') return [PAYOUTS, payout({ ...body, ...bank })] as const
  const exchange_rate = await merchant.rate('KES', 'UGX')
  const recipient_amount = String(Math.round(Number(amount) * Number(exchange_rate)))
  const abroad = {
    destination_name: 'MOMO_UGA',
    destination_currency: 'UGX',
    exchange_rate,
    recipient_amount,
  }
  return [PAYOUTS, payout({ ...body, ...abroad })] as const
}

async function postCharge(
  merchant: Merchant,
  { shares, rest, hasFee, isDirect, digits: ending }: Charge,
  external_reference: string,
) {
  const splits = shares.map((amount) => ({ account: 'PARTNER-001', amount, reason: 'Cloth' }))
  const dynamic = { account: 'PARTNER-FEES', amount: 1, reason: 'Platform fee' }
  await merchant.accepted(CHARGES, {
    ...charge,
    external_reference,
    payer_msisdn: `25470000${ending}`,
    amount: sum([rest, '1', ...shares]),
    add_transaction_charge: hasFee,
    payment_method_code: isDirect ? 'MOMO_KEN' : undefined,
    extra_data: { split_settlements: [...splits, dynamic] },
  })
  return {
    shares: [...shares, '1'],
    fee: hasFee ? '15.00' : '0',
    confirmed: null,
  }
}

async function confirm(
  merchant: Merchant,
  { reference, charge: known }: Session,
  { payment, status }: Extract<Step, { kind: 'confirm' }>,
): Promise<void> {
  const { payments, amount } = await merchant.chargeStatus(reference)
  if (!known || payments.length === 0) return
  const answer = await merchant.confirm(payments[payment % payments.length].transaction_id, status)
  if (answer.ok) {
    expect(known.confirmed ?? status).toBe(status)
    // Of less than the fee, the gateway takes everything.
    if (known.confirmed === null && compare(amount, known.fee) < 0) known.fee = amount
    known.confirmed = status
  } else {
    expect([400, 409]).toContain(answer.status)
    expect(known.confirmed).not.toBe(status)
  }
}

// [spec: Payout payment status; Airtime service_status]
async function expectBalancesMatchStatuses({ merchant, payouts, airtime, sessions }: Books): Promise<void> {
  const { accounts, totals } = await merchant.ledger()
  const balances = new Map<string, string>()
  for (const total of Object.values(totals)) expect(total).toBe('0.00')
  for (const { account, balance } of accounts) {
    balances.set(account, balance)
    if (/^(float|reserved|held|partner)/.test(account)) expect(compare(balance, '0')).not.toBe(-1)
  }
  const same = (names: string[], amounts: string[]) => {
    const balance = sum(names.map((name) => balances.get(name) ?? '0'))
    expect([names, compare(balance, sum(amounts))]).toEqual([names, 0])
  }
  const ofPayouts = await Promise.all(payouts.map((each) => moneyOfPayout(merchant, each)))
  const ofAirtime = await Promise.all(airtime.map((each) => moneyOfAirtime(merchant, each)))
  const paidOut = [...ofPayouts, ...ofAirtime]
  same(
    ['reserved/ACC-001/KES'],
    paidOut.map(({ reserved }) => reserved),
  )
  same(
    ['operators/KES', 'banks/KES', 'exchange/KES'],
    paidOut.map(({ spent }) => spent),
  )

  const received = await Promise.all(
    sessions.map(async ({ reference, charge: known }) => {
      const { amount } = await (known ? merchant.chargeStatus(reference) : merchant.status(reference))
      return { amount, known }
    }),
  )
  same(
    ['customers/KES'],
    received.map(({ amount }) => subtract('0', amount)),
  )
  const waiting = received.filter(({ known }) => known?.confirmed === null)
  same(
    ['held/ACC-001/KES'],
    waiting.map(({ amount }) => amount),
  )
  const done = sessions.flatMap(({ charge: known }) => (known?.confirmed === 'SUCCESSFUL' ? [known] : []))
  same(
    ['partner/PARTNER-FEES/KES'],
    done.map(({ shares }) => (shares.length > 0 ? '1' : '0')),
  )
  same(
    ['partner/PARTNER-001/KES', 'partner/PARTNER-FEES/KES'],
    done.flatMap(({ shares }) => shares),
  )
  same(
    ['fees/KES'],
    [...ofPayouts, ...done].map(({ fee }) => fee),
  )
  same(['world/KES'], [`-${FUNDED}`])
}

// A paid payout (700) costs the amount and the fee; a refunded payout (705) costs only the fee.
async function moneyOfPayout(merchant: Merchant, { reference, isB2b, amount }: Payout) {
  const result = isB2b ? await merchant.b2bStatus(reference) : (await merchant.payoutStatus(reference)).data
  const { payment_status } = result
  const fee = isB2b ? '30.00' : '12.50'
  const isOpen = payment_status === 703 || payment_status === 704
  return {
    reserved: isOpen ? sum([amount, fee]) : '0',
    spent: payment_status === 700 ? amount : '0',
    fee: payment_status === 700 || payment_status === 705 ? fee : '0',
  }
}

async function moneyOfAirtime(merchant: Merchant, { reference, phone, amount }: Recipient) {
  const entry = (await merchant.entries(reference)).find(({ phone_number }) => phone_number === phone)
  const isOpen = [600, 601, 604, 607].includes(entry?.service_status ?? 0)
  return { reserved: isOpen ? amount : '0', spent: entry?.service_status === 602 ? amount : '0' }
}
