/** The movements of money of a pay-in, as its record has them. Pure. */

import { canonical, compare, subtract } from '../contract/decimal.ts'
import { DAY } from '../transactions/schedule.ts'
import { isOnePayment, PAYMENT_OUTCOME, paymentsOf, receiptKey, sumOf } from './payment.ts'
import { returnedIn } from './reported-money.ts'

import type { Movement } from '../store/store.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

interface PayIn {
  created_at: number
  /** `null` once the data of the payer were erased. */
  people: readonly string[] | null
  reported: ReportedState | null
  service_code: string
}

/**
 * Returns what was paid, and what of it went back, each once. Together they are what the report says about the money as a
 * whole: what it states without a payment is a movement of its own.
 *
 * [assumed] A payment is of the day that the gateway states, if that day is possible. What went back is of the day on
 * which the gateway was first heard to say so: it may leave the date of the payment as it is.
 */
export function movementsOfPayIn(payIn: PayIn): Movement[] {
  const { people, reported, service_code } = payIn
  if (reported === null) {
    return []
  }

  const isFound = people !== null
  const movements = new Map<string, Movement>()
  const successful = paymentsOf(reported, 'successful')
  for (const payment of [...successful, ...paymentsOf(reported, 'reversed', 'refunded')]) {
    const isReturned = !successful.includes(payment)
    const paid = (isReturned && successful.find((each) => isOnePayment(each, payment))) || payment
    const part = paid.payment_id ?? `#${reported.payments.indexOf(paid)}`
    const line: Movement = {
      part,
      moved: 'paid',
      at: timeOf(paid, payIn.created_at, reported.at),
      amount: canonical(paid.amount),
      currency: paid.currency_code ?? reported.currency,
      service: paid.service_code ?? service_code,
      operator: paid.payment_method_code,
      isFound,
      receipt: paid.receipt && receiptKey(paid.receipt),
      phone: paid.payer?.phone ?? null,
      ends: paid.payer?.ends ?? null,
      key: paid.payer?.key ?? null,
    }
    movements.set(`${part} paid`, line)
    const outcome = PAYMENT_OUTCOME[payment.payment_status]
    if (outcome === 'reversed' || outcome === 'refunded') {
      const back: Movement = { ...line, moved: outcome, at: reported.at, amount: canonical(payment.amount) }
      movements.set(`${part} back`, back)
    }
  }

  const listed = [...movements.values()]
  return [...listed, ...unlisted(reported, listed, { service: service_code, isFound })]
}

/** Returns what a report says was paid or went back as a whole, and lists as no payment. */
function unlisted(
  reported: ReportedState,
  listed: readonly Movement[],
  known: Pick<Movement, 'service' | 'isFound'>,
): Movement[] {
  const { most, currency, at } = reported
  const rest = {
    part: '',
    at,
    currency,
    ...known,
    operator: null,
    receipt: null,
    phone: null,
    ends: null,
    key: null,
  }
  const isPaid = ({ moved }: Movement) => moved === 'paid'
  const paid = subtract(most, sumOf(listed.filter(isPaid)))
  const back = subtract(returnedIn(reported), sumOf(listed.filter((each) => !isPaid(each))))
  const whole: Movement[] = [
    { ...rest, moved: 'paid', amount: canonical(paid) },
    { ...rest, moved: reported.status === 840 ? 'reversed' : 'refunded', amount: canonical(back) },
  ]
  return whole.filter(({ amount }) => compare(amount, '0') > 0)
}

function timeOf({ payment_date }: Payment, created: number, heard: number): number {
  const stated = payment_date === null ? NaN : Date.parse(payment_date)
  const isPossible = stated >= created - DAY && stated <= heard
  return isPossible ? stated : heard
}
