/** Makes up events, with which a merchant tries a webhook. Pure. */

import type { EventType } from './kinds.ts'
import type { Discrepancy } from './view.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { exampleOf } from '../openapi/document.ts'
import { splitType, SUBJECTS } from './kinds.ts'

/** Returns the body of an event. */
export function eventAbout(type: string, data: object, now: number): string {
  return JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
}

/** The fields that identify a transaction. In a sample, they must not name one that exists. */
const REFERENCES = /^(order|checkout_id|merchant_transaction_id|(payout_|external_)?reference)$/

/** The outcomes of checkouts whose events have another name. */
const CHECKOUT_OUTCOMES: Readonly<Record<string, string>> = {
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
/** The gateway's status, by the outcome of a checkout. */
const STATUSES: Readonly<Record<string, number>> = { ...CHECKOUT_STATUS, review: CHECKOUT_STATUS.paid }
/** The discrepancies of the events that are about one. */
const DISCREPANCIES: Readonly<Record<string, Discrepancy>> = { overpaid: 'excess', review: 'short' }

/** Makes up the `data` of an event: the example of its schema, with values that agree with the event's type. */
export function sampleOf(type: EventType, reference: string): object {
  const { subject, suffix } = splitType(type)
  const outcome = subject === 'checkout' ? (CHECKOUT_OUTCOMES[suffix] ?? suffix) : suffix
  const values: Readonly<Record<string, unknown>> = {
    outcome,
    settled: suffix !== 'needs_attention',
    environment: 'sandbox',
    discrepancy: DISCREPANCIES[suffix] ?? null,
    ...(subject === 'checkout' && { status: STATUSES[outcome] ?? null }),
  }
  const example = Object.entries(Object(exampleOf(SUBJECTS[subject].data)))
  const data = example.map(([name, shown]) => {
    if (REFERENCES.test(name)) return [name, reference]
    return [name, name in values ? values[name] : shown]
  })
  return Object.fromEntries(data)
}
