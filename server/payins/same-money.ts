/**
 * Compares what two reports say of the money, as a person would: how much is held, and what each payment is worth, by its
 * id, currency, account and service. In which order, letters and details the gateway lists it does not count. Pure.
 */

import { createHash } from 'node:crypto'

import { canonical } from '../contract/decimal.ts'
import { identityOf } from './identity.ts'
import { ledgerOf } from './ledger.ts'
import { idOf, PAYMENT_OUTCOME, paymentsOf } from './payment.ts'

import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

/** What is said of one payment. `null` is what the gateway leaves out. */
type SaidPayment = Readonly<Record<string, string | null>>

interface SaidMoney {
  whole: Readonly<Record<string, string | number | boolean | null>>
  payments: SaidPayment[]
}

function saidIn(reported: ReportedState): SaidMoney {
  const { held, isUnclear, payments } = ledgerOf(reported)
  const { status, currency, checkout_reference, unreadable } = reported
  const made = payments.map(({ payment, worth, back }) => ({
    ...termsOf(payment),
    worth: canonical(worth),
    back: canonical(back),
  }))
  const moving = paymentsOf(reported, 'waiting', 'jammed').map((payment) => ({
    ...termsOf(payment),
    moving: PAYMENT_OUTCOME[payment.payment_status],
    amount: canonical(payment.amount),
  }))
  return {
    whole: { status, currency, checkout_reference, unreadable, isUnclear, held: canonical(held) },
    payments: [...made, ...moving].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }
}

function termsOf(payment: Payment): SaidPayment {
  return {
    id: idOf(payment),
    currency: payment.currency_code,
    account: payment.account_number,
    service: payment.service_code,
    reference: identityOf(payment.external_reference),
    counted_for: payment.counted_for ?? null,
  }
}

/** Returns whether two reports say the same of the money. The second one may fill in what the first one leaves out. */
export function saysSameMoney(before: ReportedState, after: ReportedState): boolean {
  const first = saidIn(before)
  const second = saidIn(after)
  if (!fillsIn(first.whole, second.whole) || first.payments.length !== second.payments.length) {
    return false
  }

  const left = [...second.payments]
  // Those with an id are found first, so that one without takes what is left.
  const named = first.payments.filter(({ id }) => id !== null)
  const nameless = first.payments.filter(({ id }) => id === null)
  return [...named, ...nameless].every((payment) => {
    const place = left.findIndex((each) => fillsIn(payment, each))
    left.splice(Math.max(place, 0), 1)
    return place !== -1
  })
}

/** Returns whether what a text says is said by another one, too. */
function fillsIn(before: object, after: object): boolean {
  const said = new Map<string, unknown>(Object.entries(after))
  const names = new Set([...Object.keys(before), ...said.keys()])
  const told = new Map<string, unknown>(Object.entries(before))
  return [...names].every((name) => told.get(name) === null || told.get(name) === said.get(name))
}

/** Returns a digest of what a report says of the money. */
export function digestOf(reported: ReportedState): string {
  const text = JSON.stringify(saidIn(reported))
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH)
}
const DIGEST_LENGTH = 16
