/** Everything that the gateway can say, at every time that matters: the view of each, and what is true of it. */

import { transition } from '../../server/checkouts/transition.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../../server/contract/status.ts'
import { readView } from '../../widget/answer.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'

import type { CheckoutStatus, PaymentStatus } from '../../server/contract/status.ts'
import type { CheckoutView } from '../../server/api/view.ts'
import type { Paid } from '../support/open-checkout.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export const STATUSES = [null, ...Object.values(CHECKOUT_STATUS)]
const PAYMENTS = [null, ...Object.values(PAYMENT_STATUS)]
/** When the gateway was asked, after the end of the session. */
export const TIMES = [-29 * MINUTE, -1, 0, 2 * MINUTE - 1, 2 * MINUTE, DAY - 1, DAY, 30 * DAY]

/** How an answer may differ from what was asked. */
const DIFFERENCES = {
  none: {},
  excess: { payment: { amount: '2000' } },
  short: { payment: { amount: '1000' } },
  amount: { fields: { amount: '1499.99' } },
  currency: { fields: { currency: 'UGX' } },
  'currency of a payment': { payment: { currency: 'UGX' } },
  account: { payment: { account: 'ACC-002' } },
  reference: { payment: { reference: 'another' } },
  'reference of the checkout': { fields: { checkout_reference: 'CHK-2' } },
} satisfies Record<string, { payment?: Partial<Paid>; fields?: Parameters<typeof payloadOf>[2] }>
type Difference = keyof typeof DIFFERENCES
export const NAMES = [
  'none',
  'excess',
  'short',
  'amount',
  'currency',
  'currency of a payment',
  'account',
  'reference',
  'reference of the checkout',
] as const satisfies Difference[]

/** What the gateway said, and how long after the end of the session. */
interface Word {
  status: CheckoutStatus | null
  payments: readonly PaymentStatus[]
  difference: Difference
  afterEnd: number
}

/** What was said, what the element reads of it, and what is true of it. */
export interface Truth {
  word: Word
  view: CheckoutView
  isPaid: boolean
  isOpen: boolean
}

export const everyWord: Word[] = STATUSES.flatMap((status) =>
  PAYMENTS.flatMap((payment) =>
    NAMES.flatMap((difference) =>
      TIMES.map((afterEnd) => ({
        status,
        payments: payment === null ? [] : [payment],
        difference,
        afterEnd,
      })),
    ),
  ),
)

/** The view that the server makes of it, as the element reads it. */
export function viewAfter({ status, payments, difference, afterEnd }: Word): CheckoutView {
  const now = EXPIRES_AT + afterEnd
  const checkout = openCheckout()
  const { payment = {}, fields = {} }: { payment?: Partial<Paid>; fields?: object } = DIFFERENCES[difference]
  const record =
    status === null
      ? checkout.record
      : transition(
          checkout,
          {
            kind: 'status',
            payload: payloadOf(
              status,
              payments.map((code) => ({ status: code, ...payment })),
              fields,
            ),
          },
          now,
        ).record
  const view = readView(JSON.parse(JSON.stringify(viewOf({ ...checkout, record }, now))))
  if (view === null) throw new Error('The element cannot read what the server wrote.')
  return view
}

export function truthOf(word: Word): Truth {
  return { word, view: viewAfter(word), isPaid: isPaid(word), isOpen: isOpen(word) }
}

/** Words that come to the same view and the same truth, but for the time, are one. */
export function distinct(words: readonly Word[]): Truth[] {
  const truths = words.map(truthOf)
  const times = { server_time: '', updated_at: '' }
  return [
    ...new Map(
      truths.map((truth) => [
        JSON.stringify({ ...truth, view: { ...truth.view, ...times }, word: null }),
        truth,
      ]),
    ).values(),
  ]
}

/** Full payment, and everything agrees: told by the ways in which the words were made, not by any code of ours. */
export function isPaid({ status, payments, difference }: Word): boolean {
  const received = payments.filter((code) => code === 700).length
  const isEnough = difference === 'none' ? received > 0 : difference === 'excess' && received > 0
  return status === 801 && isEnough
}

/** Whether money may yet come: by the session's time, or because something is on its way. */
function isOpen({ status, payments, afterEnd }: Word): boolean {
  if (status === null || status === 850 || status === 851) return true
  if (status !== 802 && status !== 803) return false
  const onItsWay = [703, 704, 706, 707, 708, ...(status === 803 ? [700] : [])]
  if (payments.some((code) => onItsWay.includes(code))) return afterEnd < DAY
  return afterEnd < (status === 803 ? 2 * MINUTE : 0)
}
