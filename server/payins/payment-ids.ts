/**
 * Under which id a payment is known. [assumed] A charge that is one payment may be reported by the id of the charge, until
 * the gateway names the payment itself: both are one payment. Pure.
 */

import { compare } from '../contract/decimal.ts'
import { isBack, isSameId } from './held-payments.ts'
import { identityOf } from './identity.ts'
import { knownAfter, ledgerOf } from './ledger.ts'
import { idOf, isSuccessful, madeIn, madeOf, paymentsOf } from './payment.ts'
import { asListed, NOTHING_KNOWN } from './reported-state.ts'

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
  const renamed = (each: Payment) => ({ ...each, payment_id: nameOf(each.payment_id) ?? each.payment_id })
  const payments = reported.payments.map(renamed)
  const set_aside = reported.set_aside?.map(renamed)
  const confirmations = (confirmation?.payments ?? []).map((each) => {
    const name = each.stage === 'open' ? nameOf(each.payment_id) : undefined
    return name === undefined ? each : { ...each, payment_id: name }
  })
  return {
    ...record,
    reported: { ...reported, known, payments, ...(set_aside && { set_aside }) },
    confirmation: confirmation && { ...confirmation, payments: confirmations },
  }
}

/**
 * Returns a report that calls payments by the ids that they have, where it has only the id of their charge again, or a
 * refund of all that a charge has.
 */
export function withKnownIds(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }

  const refunded = refundedIn(before, heard)
  const payments = heard.payments.map((each) => {
    const payment_id = nameOfCharge(before, idOf(each))
    return payment_id === null
      ? { ...each, payment_id: refunded ?? each.payment_id }
      : { ...each, payment_id, charge_id: each.payment_id }
  })
  if (payments.every(({ payment_id }, place) => payment_id === heard.payments[place]?.payment_id)) {
    return heard
  }
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
function nameOfCharge(
  { known, payments, set_aside = [] }: ReportedState,
  charge: string | null,
): string | null {
  if (charge === null) {
    return null
  }

  const renamed = known.find((each) => each.charge === charge)
  const ofCharge = madeOf({ payments: [...set_aside, ...payments] }).filter(
    ({ charge_id }) => identityOf(charge_id) === charge,
  )
  const [only = null, ...others] = new Set(ofCharge.map(idOf))
  return renamed?.id ?? (others.length === 0 ? only : null)
}

/**
 * Returns the id of the payment that a report, which is one payment record, says went back as a whole under another id;
 * `null` if it does not. [assumed] A charge that is reported as one payment record has no other payments
 * (`contract/charge.ts`).
 */
function refundedIn(before: ReportedState, heard: ReportedState): string | null {
  const isRecord = heard.checkout_reference === null && heard.amount === null && heard.payments.length === 1
  const [refund] = paymentsOf(heard, 'reversed', 'refunded')
  const [only, ...others] = ledgerOf(asListed(before)).payments
  if (!isRecord || refund === undefined || only === undefined || others.length > 0) {
    return null
  }

  const isKnown = before.known.some(({ id }) => id === idOf(refund))
  const charge = only.payment.charge_id ?? only.payment.payment_id
  const isOfCharge = refund.charge_id !== null && isSameId(refund.charge_id, charge)
  const isWhole = compare(refund.amount, '0') === 0 || compare(refund.amount, only.worth) >= 0
  return isOfCharge && isWhole && !isKnown ? only.payment.payment_id : null
}

/**
 * Returns the charges by whose ids payments were known, each with the id that a report gives to this payment: the first
 * of the charge. [assumed] A list is in order of time. What is listed alone as gone back may have an id of the return.
 */
function newNamesIn(before: ReportedState, heard: ReportedState): { charge: string; payment_id: string }[] {
  const { known } = before
  const ids = madeIn(heard)
  const isKnown = (id: string | null) => known.some((each) => each.id === id)
  return known.flatMap(({ id: charge }) => {
    const named = madeOf(heard).filter(({ charge_id }) => identityOf(charge_id) === charge)
    const payment_id = named[0]?.payment_id ?? null
    if (payment_id === null || !named.some(isSuccessful) || ids.includes(charge)) {
      return []
    }

    const isNew = !isKnown(identityOf(payment_id))
    // What comes after the charge went back is another payment.
    const isSame = !isBack(before, charge) || isBack(heard, payment_id)
    return isNew && isSame ? [{ charge, payment_id }] : []
  })
}
