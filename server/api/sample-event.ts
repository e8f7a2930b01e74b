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

/** The fields that identify what an event is about. Their values can belong to nothing that exists. */
const REFERENCES = /^(order|checkout_id|merchant_transaction_id|(payout_|external_)?reference)$/

/** The end of an event type where the outcome has another name. */
const OUTCOMES: Readonly<Record<string, string>> = {
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
const STATUSES: Readonly<Record<string, number>> = { ...CHECKOUT_STATUS, review: CHECKOUT_STATUS.paid }

/** How the money of an event differs from what was asked; of the others, it does not. */
const DISCREPANCIES: Readonly<Record<string, Discrepancy>> = { overpaid: 'excess', review: 'short' }

/** Makes up the `data` of an event, with which a merchant tries a webhook. */
export function sampleOf(type: EventType, reference: string): object {
  const [subject, end] = splitType(type)
  const outcome = subject === 'checkout' ? (OUTCOMES[end] ?? end) : end
  const given: Readonly<Record<string, unknown>> = {
    outcome,
    settled: end !== 'needs_attention',
    environment: 'sandbox',
    discrepancy: DISCREPANCIES[end] ?? null,
    ...(subject === 'checkout' && { status: STATUSES[outcome] ?? null }),
  }
  const example = Object.entries(Object(exampleOf(SUBJECTS[subject].data)))
  const data = example.map(([name, value]) => [name, name in given ? given[name] : value])
  const names = example.map(([name]) => name).filter((name) => REFERENCES.test(name))
  return { ...Object.fromEntries(data), ...Object.fromEntries(names.map((name) => [name, reference])) }
}
