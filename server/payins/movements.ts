/** The movements of money of a pay-in, as its record has them. Pure. */

import { canonical, compare } from '../contract/decimal.ts'
import { DAY } from '../transactions/schedule.ts'
import { PAYMENT_OUTCOME, receiptKey } from './payment.ts'
import { moneyOf } from './reported-money.ts'

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
 * Returns what was paid, and what of it went back, each once. What the gateway reports as money without a payment counts
 * as one.
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
  for (const [index, payment] of reported.payments.entries()) {
    const outcome = PAYMENT_OUTCOME[payment.payment_status]
    if (outcome !== 'successful' && outcome !== 'reversed' && outcome !== 'refunded') {
      continue
    }

    const { payer, receipt, payment_id } = payment
    const part = payment_id ?? `#${index}`
    const paid: Movement = {
      part,
      moved: 'paid',
      at: timeOf(payment, payIn.created_at, reported.at),
      amount: canonical(payment.amount),
      currency: payment.currency_code ?? reported.currency,
      service: payment.service_code ?? service_code,
      operator: payment.payment_method_code,
      isFound,
      receipt: receipt && receiptKey(receipt),
      phone: payer?.phone ?? null,
      ends: payer?.ends ?? null,
      key: payer?.key ?? null,
    }
    movements.set(`${part} paid`, paid)
    if (outcome !== 'successful') {
      movements.set(`${part} back`, { ...paid, moved: outcome, at: reported.at })
    }
  }

  return movements.size > 0 ? [...movements.values()] : movementsOfWhole(reported, service_code, isFound)
}

/** Returns the movements of a report that names an amount, and no payment. */
function movementsOfWhole(reported: ReportedState, service: string, isFound: boolean): Movement[] {
  const { most, currency, status, at } = reported
  if (compare(most, '0') <= 0) {
    return []
  }

  const paid: Movement = {
    part: '',
    moved: 'paid',
    at,
    amount: canonical(most),
    currency,
    service,
    operator: null,
    isFound,
    receipt: null,
    phone: null,
    ends: null,
    key: null,
  }
  const isReturned = moneyOf(reported).returned
  return isReturned ? [paid, { ...paid, moved: status === 840 ? 'reversed' : 'refunded' }] : [paid]
}

function timeOf({ payment_date }: Payment, created: number, heard: number): number {
  const stated = payment_date === null ? NaN : Date.parse(payment_date)
  const isPossible = stated >= created - DAY && stated <= heard + DAY
  return isPossible ? stated : heard
}
