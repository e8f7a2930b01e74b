/**
 * Under which id a payment is known. [assumed] A charge that is one payment may be reported by the id of the charge, until
 * the gateway names the payment itself: both are one payment. Pure.
 */

import { isBack } from './held-payments.ts'
import { identityOf } from './identity.ts'
import { knownAfter } from './ledger.ts'
import { idOf, madeIn, madeOf, paymentsOf } from './payment.ts'
import { NOTHING_KNOWN } from './reported-state.ts'

import type { CountedElsewhere } from '../store/errors.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'
import type { Reported } from './service-confirmation.ts'

/**
 * Returns a record that knows payments by the ids that a report gives them in place of the id of their charge. What was
 * decided about them until then keeps the id under which it was sent.
 */
export function withPaymentIds<Record extends Reported>(record: Record, heard: ReportedState): Record {
  const { reported, confirmation } = record
  const names = reported === null ? [] : newNamesIn(reported, heard)
  if (reported === null || names.length === 0) {
    return record
  }

  const nameOf = (id: string | null) => names.find(({ charge }) => charge === identityOf(id))?.payment_id
  const known = reported.known.map((each) => {
    const id = identityOf(nameOf(each.id) ?? null)
    return id === null ? each : { ...each, id, charge: each.id }
  })
  const payments = reported.payments.map((each) => ({
    ...each,
    payment_id: nameOf(each.payment_id) ?? each.payment_id,
  }))
  const confirmations = (confirmation?.payments ?? []).map((each) => {
    const name = each.stage === 'open' ? nameOf(each.payment_id) : undefined
    return name === undefined ? each : { ...each, payment_id: name }
  })
  return {
    ...record,
    reported: { ...reported, known, payments },
    confirmation: confirmation && { ...confirmation, payments: confirmations },
  }
}

/** Returns a report that calls payments by the ids that they have, where it has only the id of their charge again. */
export function withKnownIds(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }

  const nameOf = (payment: Payment) => nameOfCharge(before, idOf(payment))
  if (!heard.payments.some((each) => nameOf(each) !== null)) {
    return heard
  }

  const payments = heard.payments.map((each) => {
    const payment_id = nameOf(each)
    return payment_id === null ? each : { ...each, payment_id, charge_id: each.payment_id }
  })
  return { ...heard, payments, ...knownAfter({ ...heard, payments, ...NOTHING_KNOWN }) }
}

/** Returns a report that says which payments count for other transactions, by the ids that they have. */
export function withCountedElsewhere(heard: ReportedState, elsewhere: CountedElsewhere): ReportedState {
  if (elsewhere.size === 0) {
    return heard
  }

  const payments = heard.payments.map((each) => {
    const counted_for = elsewhere.get(idOf(each) ?? '')
    return counted_for === undefined ? each : { ...each, counted_for }
  })
  return { ...heard, payments }
}

/** Returns the id of the payment of a charge: of the one that was first known by the charge's id, or of its only one. */
function nameOfCharge({ known, payments }: ReportedState, charge: string | null): string | null {
  if (charge === null) {
    return null
  }

  const renamed = known.find((each) => each.charge === charge)
  const ofCharge = madeOf({ payments }).filter(({ charge_id }) => identityOf(charge_id) === charge)
  const [only = null, ...others] = new Set(ofCharge.map(idOf))
  return renamed?.id ?? (others.length === 0 ? only : null)
}

/** Returns the charges by whose ids payments were known, each with the id that a report gives to its only payment. */
function newNamesIn(before: ReportedState, heard: ReportedState): { charge: string; payment_id: string }[] {
  const { known } = before
  const ids = madeIn(heard)
  const isKnown = (id: string | null) => known.some((each) => each.id === id)
  const made = paymentsOf(heard, 'successful')
  return known.flatMap(({ id: charge }) => {
    const named = made.filter(({ charge_id }) => identityOf(charge_id) === charge)
    const [first] = named
    const isOne = new Set(named.map(idOf)).size === 1
    const payment_id = first?.payment_id ?? null
    const isNew = first !== undefined && !isKnown(idOf(first)) && !isBack(before, charge)
    return payment_id !== null && isOne && isNew && !ids.includes(charge) ? [{ charge, payment_id }] : []
  })
}
