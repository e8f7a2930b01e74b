import { checkoutKind } from '../../../server/checkouts/kind.ts'
import { CheckoutPayload as Payload } from '../../../server/contract/checkout.ts'
import { UNDECIDED } from '../../../server/transactions/kind.ts'
import { NEW_SUBMISSION } from '../../../server/transactions/submission.ts'
import { createRules, DAY, MINUTE, rowOf, SENT } from './observed.ts'

import type {
  Checkout,
  CheckoutRecord,
  IntendedCheckout,
  OpenCheckout,
} from '../../../server/checkouts/record.ts'
import type { CheckoutPayload } from '../../../server/contract/checkout.ts'
import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'

export const EXPIRES_AT = SENT + 30 * MINUTE
/** The end of the session with its grace, and the last deadline of what is still open then. */
export const END = EXPIRES_AT + 2 * MINUTE
export const LAST = EXPIRES_AT + DAY
export const REFERENCE = '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11'

export interface Paid {
  status: PaymentStatus
  amount?: string
  currency?: string
  account?: string
  reference?: string
  service?: string
  /** The `transaction_id` of the payment. By default, each payment has a different id. */
  id?: string | null
  date?: string
  /** The operator's receipt: the `payer_transaction_id`. */
  receipt?: string
  /** The `payment_account_reference`. */
  payer_account?: string
}

export function openCheckout(): Checkout<OpenCheckout> {
  const record: OpenCheckout = {
    phase: 'open',
    requested: {
      narration: 'Two kangas',
      order: 'A-1',
      amount: '1500',
      currency: 'KES',
      service_code: 'CHECKOUT-KES',
      account_number: 'ACC-001',
      expires_in: 30,
      splits: [],
      stated: { service_code: null, account_number: null, splits: [] },
    },
    visit: {
      launch: 'redirect',
      return_url: null,
      is_order_url: false,
      links: [],
      origin: null,
      lang: null,
      order_digests: [],
    },
    people: ['of the payer'],
    told: [],
    resolution: null,
    named_id: null,
    session: {
      checkout_reference: 'CHK-1',
      charge_request_id: null,
      redirect_url: 'https://gateway.example/pay/CHK-1',
      expires_at: EXPIRES_AT,
    },
    answered_at: SENT + MINUTE,
    reported: null,
    settled_at: null,
    gone_at: null,
    found_id: null,
    missing_since: null,
    alarm: null,
    confirmation: null,
  }
  return rowOf('checkout', record, { reference: REFERENCE, group: 'A-1', outcome: 'waiting' })
}

export function payloadOf(
  status: CheckoutStatus,
  payments: readonly Paid[],
  {
    unreadable = 0,
    ...fields
  }: { amount?: string; currency?: string; checkout_reference?: string; unreadable?: number } = {},
): CheckoutPayload {
  const received = payments.filter((payment) => payment.status === 700)
  const cents = received.reduce((sum, { amount = '1500' }) => sum + Math.round(Number(amount) * 100), 0)
  return Payload.parse({
    amount: (cents / 100).toFixed(2),
    checkout_reference: 'CHK-1',
    currency: 'KES',
    merchant_transaction_id: REFERENCE,
    narration: 'Two kangas',
    status,
    timestamp: '2026-11-21T09:05:00Z',
    ...fields,
    payments: payments
      .map((payment, index): object => ({
        event: 'payment_status',
        amount: payment.amount ?? '1500',
        payment_date: payment.date,
        payment_status: payment.status,
        currency_code: payment.currency ?? 'KES',
        account_number: payment.account ?? 'ACC-001',
        external_reference: payment.reference ?? REFERENCE,
        service_code: payment.service,
        transaction_id: payment.id === undefined ? `TX-${index}` : payment.id,
        payer_transaction_id: payment.receipt,
        payment_account_reference: payment.payer_account,
      }))
      .concat(Array.from({ length: unreadable }, () => ({ payment_status: 709, amount: '1500' }))),
  })
}

/** An answer to a status query, without a `Date`. */
export const statusOf = (...given: Parameters<typeof payloadOf>) =>
  ({ kind: 'status', payload: payloadOf(...given), at: null }) as const

export const PAID: Paid[] = [{ status: 700 }]
export const PART: Paid[] = [{ status: 700, amount: '500' }]
export const PROMPT = { method: 'MOMO_KEN', methods: [{ code: 'MOMO_KEN', name: 'MoMo' }] }

export const OPEN = openCheckout().record
const { requested, visit, people } = OPEN
export const KEPT = { requested, visit, people, told: [], resolution: null, named_id: null }
export const INTENDED: IntendedCheckout = {
  phase: 'intended',
  ...KEPT,
  call: { variant: 'standard', request: null },
  ...NEW_SUBMISSION,
}
export const ABANDONED: CheckoutRecord = { phase: 'abandoned', ...KEPT }
export const WITH_SPLITS: OpenCheckout = {
  ...OPEN,
  requested: { ...requested, splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] },
  confirmation: UNDECIDED,
}

export const checkoutOf = (record: CheckoutRecord) => ({ ...openCheckout(), record })
export const checkoutRules = createRules(checkoutOf, checkoutKind)
