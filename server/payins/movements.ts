/** The movements of money of a pay-in, as its record has them. Pure. */

import { canonical, compare, subtract } from '../contract/decimal.ts'
import { DAY } from '../transactions/schedule.ts'
import { identityOf } from './identity.ts'
import { ledgerOf } from './ledger.ts'
import { idOf, isOwn, sumOf } from './payment.ts'
import { returnOf } from './reported-money.ts'

import type { Movement } from '../store/movements.ts'
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
 * whole: what it states without a payment is a movement of its own. What counts for another transaction is left out.
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
  const ledger = ledgerOf(reported)
  const listed: Movement[] = []
  for (const { payment, returns, worth, held } of ledger.payments) {
    const part = payment.payment_id ?? `#${reported.payments.indexOf(payment)}`
    const id = idOf(payment)
    const line: Movement = {
      part,
      ...(id !== null && { payment: id }),
      moved: 'paid',
      at: timeOf(payment, payIn.created_at, reported.at),
      amount: canonical(worth),
      currency: payment.currency_code ?? reported.currency,
      service: payment.service_code ?? service_code,
      operator: payment.payment_method_code,
      isFound,
      receipt: identityOf(payment.receipt),
      phone: payment.payer?.phone ?? null,
      ends: payment.payer?.ends ?? null,
      key: payment.payer?.key ?? null,
    }
    listed.push(line)
    // What went back as a whole is that of the only payment.
    const isAll = ledger.payments.length === 1 && compare(worth, ledger.paid) === 0
    const back = subtract(worth, isAll ? ledger.held : held)
    if (compare(back, '0') > 0) {
      const moved = returnOf(reported.status, returns)
      listed.push({ ...line, moved, amount: canonical(back), at: reported.at })
    }
  }

  const isPaid = (each: Movement) => each.moved === 'paid'
  const unlisted: Omit<Movement, 'moved' | 'amount'> = {
    part: '',
    at: reported.at,
    currency: reported.currency,
    service: service_code,
    operator: null,
    isFound,
    receipt: null,
    phone: null,
    ends: null,
    key: null,
  }
  const paid = subtract(ledger.paid, sumOf(listed.filter(isPaid)))
  const backAsWhole = subtract(ledger.paid, ledger.held)
  const back = subtract(backAsWhole, sumOf(listed.filter((each) => !isPaid(each))))
  const whole: Movement[] = [
    { ...unlisted, moved: 'paid', amount: canonical(paid) },
    { ...unlisted, moved: returnOf(reported.status), amount: canonical(back) },
  ]
  const others = reported.payments.filter((payment) => !isOwn(payment)).map(idOf)
  const own = listed.filter(({ payment = null }) => !others.includes(payment))
  return [...own, ...whole.filter(({ amount }) => compare(amount, '0') > 0)]
}

function timeOf({ payment_date }: Payment, created: number, heard: number): number {
  const stated = payment_date === null ? NaN : Date.parse(payment_date)
  const isPossible = stated >= created - DAY && stated <= heard
  return isPossible ? stated : heard
}
