/**
 * What may follow what, for one charge.
 *
 * A charge asks somebody for money, and no rule refuses a second one under the same reference: what was sent once is
 * only ever asked about, and what the gateway then does not know needs a person.
 */

import type { ChargeResponse } from '../contract/charge.ts'
import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { canFollow, toReportedState } from '../payins/reported-state.ts'
import { determineOutcome } from './outcome.ts'

export type Observation =
  /** 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError }
  | { kind: 'status'; payload: CheckoutPayload }
  /** 120. */
  | { kind: 'unknown' }
  | { kind: 'fulfilment'; news: ConfirmationObservation }

/** The merchant hears `charge.` and this. */
export type ChargeEvent = PostedCharge['told'][number]

export interface TransitionResult {
  record: ChargeRecord
  event: ChargeEvent | null
  /** What happened, for the history; `null` when nothing did. */
  historyEntry: string | null
}

/** Before a person has to look for what was never acknowledged: this many questions in vain, over at least this long. */
export const ASK_BEFORE_GIVING_UP = { times: 3, overMs: 2 * 60_000 }
/** "Not known" means "not yet" for so long after it was sent; and nobody is asked for money later than they expect it. */
const PATIENCE_MS = 2 * 60_000

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(charge: Charge, observation: Observation, askedAt: number): TransitionResult {
  const { record } = charge
  switch (record.phase) {
    case 'intended':
      return transitionIntended({ ...charge, record }, observation, askedAt)
    case 'posted':
      return transitionPosted({ ...charge, record }, observation, askedAt)
    case 'refused':
      return unchanged(record)
  }
}

/** Sending makes a new version of a row: the first one was only stored, and its process ended before it was sent. */
export function isNeverSent({ record, version }: Charge): boolean {
  return record.phase === 'intended' && version === 1
}

export function isToBeSent(charge: Charge, now: number): boolean {
  return isNeverSent(charge) && now - charge.created_at < PATIENCE_MS
}

function transitionIntended(
  charge: Charge<IntendedCharge>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  const { record } = charge
  const { request } = record
  switch (observation.kind) {
    case 'posted':
      return learn(postedOf(record), observation.answer)
    case 'refused': {
      const { why, refusal } = observation
      return { record: { phase: 'refused', request, why, refusal }, event: 'failed', historyEntry: why }
    }
    case 'status':
      return see(
        { ...charge, record: postedOf(record) },
        toReportedState(observation.payload, askedAt),
        askedAt,
      )
    case 'unknown':
      return miss(charge, askedAt)
    case 'fulfilment':
      return unchanged(record)
  }
}

function miss(charge: Charge<IntendedCharge>, askedAt: number): TransitionResult {
  const { record, created_at, sent_at } = charge
  if (isNeverSent(charge)) {
    if (askedAt - created_at < PATIENCE_MS) return unchanged(record)
    const why = 'It was never sent: the server ended before that, and the payer no longer expects it.'
    const { request } = record
    return { record: { phase: 'refused', request, why, refusal: null }, event: 'failed', historyEntry: why }
  }
  const missing = record.missing + 1
  const { times, overMs } = ASK_BEFORE_GIVING_UP
  if (record.stuck === null && missing >= times && askedAt - sent_at >= overMs) {
    const stuck = 'It was sent once, its answer was lost, and the gateway does not know it.'
    return { record: { ...record, missing, stuck }, event: 'needs_attention', historyEntry: stuck }
  }
  const historyEntry = missing <= times ? 'The gateway does not know this charge, or not yet.' : null
  return { record: { ...record, missing }, event: null, historyEntry }
}

function transitionPosted(
  charge: Charge<PostedCharge>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  const { record, sent_at } = charge
  switch (observation.kind) {
    case 'posted':
      return record.answer === null ? learn(record, observation.answer) : unchanged(record)
    case 'refused':
      return unchanged(record)
    case 'status':
      return see(charge, toReportedState(observation.payload, askedAt), askedAt)
    case 'unknown':
      if (askedAt - sent_at < PATIENCE_MS) return unchanged(record)
      return contradict(record, 'The gateway does not know this charge, which it once acknowledged.')
    case 'fulfilment': {
      const { fulfilment, historyEntry } = transitionConfirmation(
        record.fulfilment,
        observation.news,
        record.reported,
      )
      return historyEntry === null
        ? unchanged(record)
        : follow(charge, { ...record, fulfilment }, historyEntry, askedAt)
    }
  }
}

/** The answer to the post, also when the charge was seen before it came. */
function learn(record: PostedCharge, answer: ChargeResponse): TransitionResult {
  const { charge_request_id, total_amount, redirect_url = null, expires_at } = answer
  const until = expires_at === undefined ? null : Date.parse(expires_at)
  return {
    record: { ...record, answer: { charge_request_id, total_amount, redirect_url, expires_at: until } },
    event: null,
    historyEntry: `The gateway took it as ${charge_request_id}.`,
  }
}

function postedOf({ request }: IntendedCharge): PostedCharge {
  return {
    phase: 'posted',
    request,
    answer: null,
    reported: null,
    settled_at: null,
    fulfilment: { stage: 'open' },
    told: [],
    contradiction: null,
  }
}

function see(charge: Charge<PostedCharge>, reported: ReportedState, askedAt: number): TransitionResult {
  const { record } = charge
  if (!canFollow(record.reported, reported)) {
    return contradict(
      record,
      `The gateway said ${reported.status} after ${record.reported?.status}, which is kept.`,
    )
  }
  const next = { ...record, reported, contradiction: null }
  const isSame =
    record.reported !== null &&
    record.contradiction === null &&
    JSON.stringify({ ...record.reported, at: 0 }) === JSON.stringify({ ...reported, at: 0 })
  const { outcome } = determineOutcome({ ...charge, record: next })
  const isNews = !isSame || outcome !== determineOutcome(charge).outcome
  return follow(
    charge,
    next,
    isNews ? `The gateway says ${reported.status}, ${reported.amount} received: ${outcome}.` : null,
    askedAt,
  )
}

/** The record with what its outcome is worth. Each outcome is told once, but for what needs a person. */
function follow(
  charge: Charge<PostedCharge>,
  next: PostedCharge,
  historyEntry: string | null,
  askedAt: number,
): TransitionResult {
  const before = determineOutcome(charge)
  const { outcome, settled } = determineOutcome({ ...charge, record: next })
  const became = outcome !== before.outcome
  const { stage } = next.fulfilment
  const isRefused = stage === 'refused' && charge.record.fulfilment.stage !== 'refused'
  const event =
    (became || isRefused) &&
    outcome !== 'pending' &&
    outcome !== 'sending' &&
    isUntold(charge.record, outcome)
      ? outcome
      : null
  const settled_at = settled ? (became ? askedAt : (charge.record.settled_at ?? askedAt)) : null
  const told = event ? [...next.told, event] : next.told
  return { record: { ...next, settled_at, told }, event, historyEntry }
}

function isUntold({ told }: PostedCharge, event: ChargeEvent): boolean {
  return event === 'needs_attention' || !told.includes(event)
}

/** Told once, however often it is seen. */
function contradict(record: PostedCharge, contradiction: string): TransitionResult {
  if (record.contradiction === contradiction) return unchanged(record)
  const event = record.contradiction === null ? 'needs_attention' : null
  return { record: { ...record, contradiction }, event, historyEntry: contradiction }
}

function unchanged(record: ChargeRecord): TransitionResult {
  return { record, event: null, historyEntry: null }
}
