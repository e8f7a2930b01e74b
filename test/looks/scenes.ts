/** Everything that the element can show, as a BFF would have it shown. */

import { freshView } from '../support/till.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutState } from '../../widget/index.ts'

export interface Scene {
  /** The id of its checkout, too. */
  name: string
  state: CheckoutState
  attributes?: Record<string, string>
  /** What the BFF knows of the checkout; without it, there is none yet. */
  view?: Partial<CheckoutView>
  /** What becomes of the pop-up when the button is pressed; without it, nobody presses. */
  press?: 'popup' | 'blocked' | 'closed'
  /** Whether the form is sent as it opens, with nothing in it. */
  submits?: true
  /** What the BFF answers to `initiate`: this problem, the view, or nothing at all. */
  refusal?: string
}

/** When every scene is looked at, four minutes and some seconds before its time is up. */
export const NOW = Date.parse('2026-11-21T09:00:00Z')
const SHARED: Partial<CheckoutView> = {
  expires_at: new Date(NOW + 272_000).toISOString(),
  merchant_transaction_id: 'ORD-2026-11-21-7F3K9Q',
}
const WAITING: CheckoutView['payments'][number] = {
  status: 703,
  outcome: 'waiting',
  amount: '1500',
  currency: 'KES',
  method: 'M-PESA',
  paid_at: null,
}
const PAID = { status: 801, outcome: 'paid', settled: true, amount_paid: '1500' } as const
const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }

/** The tall ones are in the first row of four. */
export const SCENES: readonly Scene[] = [
  { name: 'idle', state: 'idle' },
  { name: 'disabled', state: 'idle', attributes: { disabled: '' } },
  { name: 'details', state: 'details', attributes: NOBODY, press: 'popup' },
  { name: 'mistaken', state: 'details', attributes: NOBODY, press: 'popup', submits: true },
  { name: 'starting', state: 'starting', press: 'popup' },
  { name: 'error', state: 'error', press: 'popup', refusal: 'order_unknown' },
  { name: 'waiting', state: 'waiting', view: {} },
  { name: 'sandbox', state: 'waiting', view: { environment: 'sandbox' } },
  { name: 'blocked', state: 'blocked', view: {}, press: 'blocked' },
  { name: 'closed', state: 'waiting', view: {}, press: 'closed' },
  { name: 'prompted', state: 'waiting', view: { payments: [WAITING] } },
  { name: 'partial', state: 'partial', view: { status: 802, outcome: 'partial', amount_paid: '500' } },
  {
    name: 'partial-ended',
    state: 'partial',
    view: { status: 802, outcome: 'partial', amount_paid: '500', settled: true },
  },
  { name: 'paid', state: 'paid', view: PAID },
  {
    name: 'overpaid',
    state: 'paid',
    view: { ...PAID, amount_paid: '2000', discrepancy: 'excess', environment: 'sandbox' },
  },
  { name: 'unpaid', state: 'unpaid', view: { status: 803, outcome: 'unpaid' } },
  { name: 'unpaid-ended', state: 'unpaid', view: { status: 803, outcome: 'unpaid', settled: true } },
  { name: 'expired', state: 'expired', view: { status: 820, outcome: 'expired', settled: true } },
  { name: 'reversed', state: 'reversed', view: { status: 840, outcome: 'reversed', settled: true } },
  { name: 'refunded', state: 'refunded', view: { status: 841, outcome: 'refunded', settled: true } },
  { name: 'jammed', state: 'jammed', view: { status: 850, outcome: 'jammed' } },
  { name: 'pending', state: 'pending', view: { status: 851, outcome: 'pending' } },
  { name: 'review', state: 'review', view: { status: 801, outcome: 'review', settled: true } },
  { name: 'forgotten', state: 'error', attributes: { 'checkout-id': 'nobody-knows' } },
]

/** What the BFF says of a scene's checkout. */
export function viewOf({ name, view }: Scene): CheckoutView {
  const whole: CheckoutView = { ...freshView(NOW), ...SHARED, ...view, checkout_id: name, order: name }
  if (whole.settled) delete whole.redirect_url
  return whole
}
