import { expect, test } from 'vitest'

import { moneyOf } from '../../../server/payins/reported-money.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { canFollow, continued } from '../../../server/payins/succession.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { MINUTE, SENT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

const ASKED = 1000
const STORIES = 40
const REPORTS = 5

/** How a gateway writes what is true. All list every payment, in order of time. */
interface Style {
  /** The id of a return: that of its payment, or its own, with or without the operator's reference of the payment. */
  returnId: 'same' | 'own' | 'own, with the reference'
  /** What the total says. */
  total: 'left' | 'received' | 'none'
  /** Whether a payment is still listed once all of it went back. */
  keepsReturned: boolean
}

interface TruePayment {
  id: string
  amount: number
  returns: { id: string; amount: number }[]
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const backOf = ({ returns }: TruePayment) => sum(returns.map(({ amount }) => amount))
const leftOf = (payments: readonly TruePayment[]) => sum(payments.map((each) => each.amount - backOf(each)))

/** Lets something be paid, or go back, whole or by half. */
function happen(random: SeededRandom, payments: TruePayment[]): 'paid' | 'returned' {
  const open = payments.filter((each) => each.amount > backOf(each))
  if (open.length > 0 && (payments.length === 3 || random.happens(0.5))) {
    const payment = random.pick(open)
    const left = payment.amount - backOf(payment)
    const id = `R${sum(payments.map(({ returns }) => returns.length)) + 1}`
    payment.returns.push({ id, amount: random.happens(0.5) ? left : left / 2 })
    return 'returned'
  }
  if (payments.length < 3) {
    payments.push({ id: `T${payments.length + 1}`, amount: random.pick([1000, 600, 400]), returns: [] })
  }
  return 'paid'
}

/** Returns what a gateway reports of the payments. */
function reportOf(
  { returnId, total, keepsReturned }: Style,
  payments: readonly TruePayment[],
  last: 'paid' | 'returned',
): ReportedState {
  const left = leftOf(payments)
  const received = sum(payments.map(({ amount }) => amount))
  const listed = payments.flatMap((payment, place): Paid[] => {
    const reference = returnId === 'own, with the reference' ? { receipt: `QK71P0Z${place}` } : {}
    const isListed = keepsReturned || backOf(payment) < payment.amount || returnId !== 'same'
    const made: Paid = { status: 700, id: payment.id, amount: String(payment.amount), ...reference }
    const returns = payment.returns.map(({ id, amount }): Paid => {
      const ownId = returnId === 'same' ? payment.id : id
      return { status: 702, id: ownId, amount: String(amount), ...reference }
    })
    return isListed ? [made, ...returns] : returns
  })
  const amount = { left: String(left), received: String(received), none: '' }[total]
  const status = last === 'paid' ? (left >= ASKED ? 801 : 802) : 840
  return toReportedState(payloadOf(status, listed, { amount }), SENT, 'KES')
}

const styles = (['same', 'own', 'own, with the reference'] as const).flatMap((returnId) =>
  (['left', 'received', 'none'] as const).flatMap((total) =>
    [true, false].map((keepsReturned): Style => ({ returnId, total, keepsReturned })),
  ),
)

test.each(styles)('what is read clearly of a gateway that lists everything is true: %j', (style) => {
  for (let seed = 0; seed < STORIES; seed++) {
    const random = createSeededRandom(seed)
    const payments: TruePayment[] = []
    let state: ReportedState | null = null
    for (let index = 0; index < REPORTS; index++) {
      const last = happen(random, payments)
      const heard = { ...reportOf(style, payments, last), at: SENT + index * 10 * MINUTE }
      const next = continued(state, heard)
      const money = moneyOf(next)
      if (money.unreadable || (state !== null && !canFollow(state, heard))) {
        // A person looks. Without an id of the payment or a total of what is left, a return cannot be told from another's.
        expect(style.returnId, `story ${seed}`).toBe('own')
        expect(style.total, `story ${seed}`).not.toBe('left')
        break
      }

      expect(Number(money.received), `story ${seed}, report ${index}`).toBe(leftOf(payments))
      state = next
    }
  }
})
