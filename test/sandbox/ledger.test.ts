import fc from 'fast-check'
import { expect, it } from 'vitest'
import { add, compare, subtract, sum } from '../../server/contract/decimal.ts'
import { createLedger, currencyOfAccount, fund } from '../../demo/sandbox/money/ledger.ts'
import { movementInto, reserve } from '../../demo/sandbox/payouts/movements.ts'
import { distribute, giveBack, giveBackHeld, hold, receive } from '../../demo/sandbox/sessions/movements.ts'
import type { Ledger, Movement } from '../../demo/sandbox/money/ledger.ts'
import type { Funds, PayoutState } from '../../demo/sandbox/payouts/payout.ts'
import type { Distribution } from '../../demo/sandbox/sessions/movements.ts'

const MERCHANTS = ['ACC-001', 'ACC-002', 'ACC-003']
const RUNS = process.env.FULL ? 50_000 : 1_000
const LIMIT_MS = process.env.FULL ? 300_000 : 30_000

/** The possible next states of a payout. */
const NEXT = {
  pending: [
    { kind: 'paid', receipt: 'R' },
    { kind: 'failed', result: 'Declined.' },
  ],
  paid: [
    { kind: 'reversed', receipt: 'R' },
    { kind: 'refunded', receipt: 'R' },
  ],
  failed: [],
  jammed: [],
  reversed: [],
  refunded: [],
} as const satisfies Record<PayoutState['kind'], readonly PayoutState[]>

/** What customers have paid for a charge, and where it is. */
interface Charged {
  distribution: Distribution
  stage: 'held' | 'distributed' | 'ended'
}

interface Known {
  funds: Funds
  state: PayoutState['kind']
}

const cents = fc.integer({ min: 1, max: 9_000 }).map((value) => (value / 100).toFixed(2))
const step = fc.oneof(
  fc.record({
    kind: fc.constant('initiate' as const),
    merchant: fc.constantFrom(...MERCHANTS),
    amount: cents,
    fee: cents,
    delivered: cents,
    currency: fc.constantFrom('KES', 'UGX'),
    by: fc.constantFrom('operators' as const, 'banks' as const),
  }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(), choice: fc.nat() }),
  fc.record({
    kind: fc.constantFrom('receive' as const, 'give back' as const),
    merchant: fc.constantFrom(...MERCHANTS),
    amount: cents,
  }),
  fc.record({
    kind: fc.constant('charge' as const),
    merchant: fc.constantFrom(...MERCHANTS),
    fee: cents,
    shares: fc.array(fc.record({ account: fc.constantFrom('PARTNER-001', 'PARTNER-FEES'), amount: cents }), {
      maxLength: 3,
    }),
    rest: cents,
  }),
  fc.record({
    kind: fc.constantFrom('confirm' as const, 'give back a charge' as const),
    which: fc.nat(),
  }),
)

it(
  'every total is zero and no account is overdrawn, after any sequence of movements',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ledger = createLedger()
        for (const merchant of MERCHANTS) ledger.post(fund(merchant, 'KES', '150.00'), 0)
        const payouts: Known[] = []
        const charges: Charged[] = []
        for (const next of steps) {
          take(next, ledger, payouts, charges)
          check(ledger, payouts, charges)
        }
      }),
      { numRuns: RUNS },
    )
  },
  LIMIT_MS,
)

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

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function take(next: Step, ledger: Ledger, payouts: Known[], charges: Charged[]): void {
  switch (next.kind) {
    case 'initiate': {
      const { merchant, amount, fee, by, currency, delivered } = next
      const reference = `payout-${payouts.length}`
      const recipient = { currency, amount: currency === 'KES' ? amount : delivered }
      const funds = {
        reference,
        accountNumber: merchant,
        currency: 'KES',
        amount,
        fee,
        by,
        delivered: recipient,
      }
      if (ledger.overdrawnBy(reserve(funds)) !== null) return
      ledger.post(reserve(funds), 0)
      payouts.push({ funds, state: 'pending' })
      return
    }
    case 'move': {
      const payout = payouts[next.which % (payouts.length || 1)]
      if (!payout) return
      const choices: readonly PayoutState[] = NEXT[payout.state]
      const state = choices[next.choice % (choices.length || 1)]
      const movement = state && movementInto(state, payout.funds)
      if (!movement) return
      ledger.post(movement, 0)
      payout.state = state.kind
      return
    }
    case 'receive':
    case 'give back': {
      const money = {
        reference: 'order',
        accountNumber: next.merchant,
        currency: 'KES',
        amount: next.amount,
      }
      const held = ledger.balanceOf(`float/${next.merchant}/KES`)
      ledger.post(next.kind === 'receive' ? receive(money) : giveBack(money, held), 0)
      return
    }
    case 'charge': {
      const { merchant, fee, shares, rest } = next
      const amount = sum([fee, rest, ...shares.map((share) => share.amount)])
      const money = { reference: 'charge', accountNumber: merchant, currency: 'KES', amount }
      ledger.post(hold(money), 0)
      charges.push({ distribution: { ...money, fee, shares }, stage: 'held' })
      return
    }
    case 'confirm':
    case 'give back a charge': {
      const charge = charges[next.which % (charges.length || 1)]
      if (charge) moveCharge(charge, next.kind, ledger)
    }
  }
}

function moveCharge(charge: Charged, step: 'confirm' | 'give back a charge', ledger: Ledger): void {
  const { distribution, stage } = charge
  if (stage === 'ended' || (step === 'confirm' && stage === 'distributed')) return
  if (step === 'confirm') {
    ledger.post(distribute(distribution), 0)
    charge.stage = 'distributed'
    return
  }
  const spendable = ledger.balanceOf(`float/${distribution.accountNumber}/KES`)
  ledger.post(stage === 'held' ? giveBackHeld(distribution) : giveBack(distribution, spendable), 0)
  charge.stage = 'ended'
}

function check(ledger: Ledger, payouts: Known[], charges: Charged[]): void {
  const accounts = [...ledger.balances()]
  for (const currency of ['KES', 'UGX']) {
    const balances = accounts.filter(([account]) => currencyOfAccount(account) === currency)
    expect(compare(sum(balances.map(([, balance]) => balance)), '0')).toBe(0)
  }
  for (const [account, balance] of accounts)
    if (/^(float|reserved|held|partner)/.test(account)) expect(compare(balance, '0')).not.toBe(-1)
  for (const merchant of MERCHANTS) {
    const open = payouts.filter(({ funds, state }) => state === 'pending' && funds.accountNumber === merchant)
    const promised = sum(open.map(({ funds }) => add(funds.amount, funds.fee)))
    expect(subtract(ledger.balanceOf(`reserved/${merchant}/KES`), promised)).toMatch(/^0(\.0+)?$/)
    const waiting = charges.filter(
      ({ distribution, stage }) => stage === 'held' && distribution.accountNumber === merchant,
    )
    const held = sum(waiting.map(({ distribution }) => distribution.amount))
    expect(compare(ledger.balanceOf(`held/${merchant}/KES`), held)).toBe(0)
  }
}
