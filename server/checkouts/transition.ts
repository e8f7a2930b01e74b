/**
 * What may follow what, for one checkout.
 *
 * Answers arrive late, twice and out of order, so nothing writes a status directly: every observation comes
 * through {@link advance}, which keeps the record or moves it forward, and says what the merchant is to hear.
 */

import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Verdict } from '../payins/outcome.ts'
import type { Checkout, CheckoutRecord, IntendedCheckout, OpenCheckout } from './record.ts'
import type { Opened } from './variants.ts'
import { compare } from '../contract/decimal.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { canFollow, toReportedState } from '../payins/reported-state.ts'
import { determineOutcome } from './outcome.ts'
import { firstFulfilmentOf } from './variants.ts'

/** What a look at the gateway brought. */
export type Observation =
  /** The answer to initiate, whenever it comes. */
  | { kind: 'acknowledged'; answer: Opened }
  | { kind: 'status'; payload: CheckoutPayload }
  /** status_code 120. [spec: Checkout errors] */
  | { kind: 'unknown' }
  /** Without the gateway's own words it contradicted what was asked. */
  | { kind: 'refused'; why: string; refusal: CheckoutError | null }
  | { kind: 'fulfilment'; news: ConfirmationObservation }

/** The merchant hears `checkout.` and one of these. */
export type CheckoutEvent =
  | 'paid'
  | 'paid_late'
  | 'overpaid'
  | 'partial'
  | 'unpaid'
  | 'expired'
  | 'reversed'
  | 'refunded'
  | 'review'
  | 'needs_attention'

export interface TransitionResult {
  record: CheckoutRecord
  events: CheckoutEvent[]
  /** What happened, for the history; `null` when nothing did. */
  historyEntry: string | null
}

/** A shopper who waited this long for an answer that never came has left, and nothing sent is still on its way. */
const ABANDON_AFTER_MS = 2 * 60_000

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(checkout: Checkout, observation: Observation, askedAt: number): TransitionResult {
  const { record } = checkout
  switch (record.phase) {
    case 'intended':
      return transitionIntended({ ...checkout, record }, observation, askedAt)
    case 'open':
      return transitionOpen({ ...checkout, record }, observation, askedAt)
    case 'refused':
    case 'abandoned':
      return unchanged(record)
  }
}

function transitionIntended(
  { record, sent_at }: Checkout<IntendedCheckout>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  const { asked, visit } = record
  switch (observation.kind) {
    case 'acknowledged': {
      const { checkout_reference, redirect_url, expires_at } = observation.answer
      // [assumed] One that names no end lasts as long as was asked.
      const until = expires_at === null ? askedAt + asked.expires_in * 60_000 : Date.parse(expires_at)
      return {
        record: {
          phase: 'open',
          asked,
          visit,
          session: { checkout_reference, redirect_url, expires_at: until },
          reported: null,
          settled_at: null,
          told_paid: false,
          lost_at: null,
          contradiction: null,
          fulfilment: firstFulfilmentOf(asked),
        },
        events: [],
        historyEntry: `The gateway opened ${checkout_reference === null ? 'it' : `checkout ${checkout_reference}`}.`,
      }
    }
    case 'refused':
      return {
        record: { phase: 'refused', asked, visit, why: observation.why, refusal: observation.refusal },
        events: observation.refusal ? [] : ['needs_attention'],
        historyEntry: observation.why,
      }
    case 'unknown':
      if (askedAt - sent_at < ABANDON_AFTER_MS) return unchanged(record)
      return {
        record: { phase: 'abandoned', asked, visit },
        events: [],
        historyEntry: 'The gateway never received this checkout; given up.',
      }
    case 'fulfilment':
    case 'status':
      // It arrived, but its address was never learned: the kind asks for it again before it says so here.
      return unchanged(record)
  }
}

function transitionOpen(
  checkout: Checkout<OpenCheckout>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  const { record } = checkout
  switch (observation.kind) {
    case 'acknowledged':
    case 'refused':
      return unchanged(record)
    case 'unknown':
      return lose(checkout, askedAt)
    case 'fulfilment':
      return fulfil(record, observation.news)
    case 'status': {
      const reported = toReportedState(observation.payload, askedAt)
      if (canFollow(record.reported, reported)) return follow(checkout, reported)
      if (record.contradiction === reported.status) return unchanged(record)
      return {
        record: { ...record, contradiction: reported.status },
        events: record.contradiction === null ? ['needs_attention'] : [],
        historyEntry: `The gateway said ${reported.status} after ${record.reported?.status}, which is kept: a person has to look.`,
      }
    }
  }
}

/** A confirmation that the gateway refused is told once. */
function fulfil(record: OpenCheckout, news: ConfirmationObservation): TransitionResult {
  const { fulfilment: before } = record
  if (before === null) return unchanged(record)
  const { fulfilment, historyEntry } = transitionConfirmation(before, news, record.reported)
  if (historyEntry === null) return unchanged(record)
  const isRefused = fulfilment.stage === 'refused'
  return { record: { ...record, fulfilment }, events: isRefused ? ['needs_attention'] : [], historyEntry }
}

/** Right after it was opened, "unknown" means "not yet". Told once; what was never seen ends with its session. */
function lose(checkout: Checkout<OpenCheckout>, askedAt: number): TransitionResult {
  const { record, sent_at } = checkout
  if (askedAt - sent_at < ABANDON_AFTER_MS) return unchanged(record)
  const lost = { ...record, lost_at: askedAt }
  const { settled } = determineOutcome({ ...checkout, record: lost })
  const isFirst = record.lost_at === null
  if (!isFirst && settled === determineOutcome(checkout).settled) return unchanged(record)
  return {
    record: { ...lost, settled_at: settled ? (record.settled_at ?? askedAt) : null },
    events: isFirst ? ['needs_attention'] : [],
    historyEntry: 'The gateway does not know this checkout, which it once acknowledged.',
  }
}

/** The record with what was seen now, and the events that the change is worth. */
function follow(checkout: Checkout<OpenCheckout>, reported: ReportedState): TransitionResult {
  const { record } = checkout
  const old = determineOutcome(checkout)
  const verdict = determineOutcome({ ...checkout, record: { ...record, reported } })
  const events = eventsOf(old, verdict, record, reported)
  const isNews = events.length > 0 || !isSame(old, verdict, record.reported, reported)
  const settled_at = verdict.settled ? (isNews ? reported.at : (record.settled_at ?? reported.at)) : null
  return {
    record: {
      ...record,
      reported,
      settled_at,
      told_paid: record.told_paid || verdict.outcome === 'paid',
      lost_at: null,
      contradiction: null,
    },
    events,
    historyEntry: isNews
      ? `The gateway says ${reported.status}, ${reported.amount} received: ${verdict.outcome}.`
      : null,
  }
}

/** Each outcome is told once: when it first holds, and again only when the money in it changed. */
function eventsOf(
  old: Verdict,
  verdict: Verdict,
  { reported: before, told_paid }: OpenCheckout,
  reported: ReportedState,
): CheckoutEvent[] {
  const became = old.outcome !== verdict.outcome
  const becameSettled = verdict.settled && (became || !old.settled)
  const moneyChanged = compare(before?.amount ?? '0', reported.amount) !== 0
  switch (verdict.outcome) {
    case 'paid': {
      // After a review it may be what it was before: an answer can leave out for once what it had told.
      const becamePaid = became && !told_paid
      const isLate = old.settled && old.outcome !== 'review'
      const paid: CheckoutEvent[] = becamePaid ? [isLate ? 'paid_late' : 'paid'] : []
      const excess = verdict.discrepancy === 'excess' && (becamePaid || moneyChanged)
      return excess ? [...paid, 'overpaid'] : paid
    }
    case 'partial':
      return became || becameSettled || moneyChanged ? ['partial'] : []
    case 'unpaid':
      return becameSettled ? ['unpaid'] : []
    case 'expired':
      return becameSettled ? ['expired'] : []
    case 'reversed':
    case 'refunded':
    case 'review':
      return became ? [verdict.outcome] : []
    case 'jammed':
      return became ? ['needs_attention'] : []
    case 'waiting':
    case 'pending':
      return []
  }
}

function isSame(
  old: Verdict,
  verdict: Verdict,
  before: ReportedState | null,
  reported: ReportedState,
): boolean {
  return (
    old.outcome === verdict.outcome &&
    old.settled === verdict.settled &&
    old.discrepancy === verdict.discrepancy &&
    before !== null &&
    JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...reported, at: 0 })
  )
}

function unchanged(record: CheckoutRecord): TransitionResult {
  return { record, events: [], historyEntry: null }
}
