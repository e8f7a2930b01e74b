/**
 * Under which id a payment is known. [assumed] A charge that is one payment may be reported by the id of the charge, until
 * the gateway names the payment itself: both are one payment. Pure.
 */

import { paymentOf, withPayment } from './held-payments.ts'
import { identityOf } from './identity.ts'
import { idOf, madeIn, paymentsOf } from './payment.ts'

import type { ReportedState } from './reported-state.ts'
import type { Reported } from './service-confirmation.ts'

/** Returns a record that knows payments by the ids that a report gives them in place of the id of their charge. */
export function withPaymentIds<Record extends Reported>(record: Record, heard: ReportedState): Record {
  const { reported, confirmation } = record
  const names = reported === null ? [] : newNamesIn(reported, heard)
  if (reported === null || names.length === 0) {
    return record
  }

  const nameOf = (id: string | null) => names.find(({ charge }) => charge === identityOf(id))?.payment_id
  const known = reported.known.map((each) => ({
    ...each,
    id: identityOf(nameOf(each.id) ?? each.id) ?? each.id,
  }))
  const payments = reported.payments.map((each) => ({
    ...each,
    payment_id: nameOf(each.payment_id) ?? each.payment_id,
  }))
  const confirmations = confirmation?.payments.map((each) => {
    const name = nameOf(paymentOf(each))
    return name === undefined ? each : withPayment(each, name)
  })
  return {
    ...record,
    reported: { ...reported, known, payments },
    confirmation: confirmation && { ...confirmation, payments: confirmations ?? [] },
  }
}

/** Returns the charges by whose ids payments were known, each with the id that a report gives to its only payment. */
function newNamesIn(
  { known }: ReportedState,
  heard: ReportedState,
): { charge: string; payment_id: string }[] {
  const ids = madeIn(heard)
  const isKnown = (id: string | null) => known.some((each) => each.id === id)
  const made = paymentsOf(heard, 'successful', 'reversed', 'refunded')
  return known.flatMap(({ id: charge }) => {
    const named = made.filter(({ charge_id }) => identityOf(charge_id) === charge)
    const [first] = named
    const isOne = new Set(named.map(idOf)).size === 1
    const payment_id = first?.payment_id ?? null
    const isNew = first !== undefined && !isKnown(idOf(first))
    return payment_id !== null && isOne && isNew && !ids.includes(charge) ? [{ charge, payment_id }] : []
  })
}
