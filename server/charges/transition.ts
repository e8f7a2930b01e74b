/**
 * Computes the next record and the events of a charge from an observation. Pure.
 *
 * The gateway does not deduplicate charges, so the submission policy never sends a charge twice. If the gateway does
 * not know a charge that was sent, a person has to check the charge.
 */

import type { ChargeResponse } from '../contract/charge.ts'
import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { TrackedEvent, TransitionResult } from '../transactions/transition.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import { canFollow, isSameReport, toReportedState } from '../payins/reported-state.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { contradict, eventsOf, note, unchanged } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'

export type Observation =
  /** The gateway acknowledged the charge with status_code 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError | null }
  | { kind: 'status'; payload: CheckoutPayload }
  /** The gateway does not know the charge (status_code 120 in the response to a status query). */
  | { kind: 'unknown' }
  | { kind: 'confirmation'; observation: ConfirmationObservation }

type ChargeTransitionResult = TransitionResult<ChargeRecord, TrackedEvent>

/**
 * Returns the next record of a charge, with the events and the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  charge: Charge,
  observation: Observation,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  if (record.phase === 'refused') return unchanged(record)
  const posted = postedOf(record)
  switch (observation.kind) {
    case 'posted':
      return posted.answer === null ? storeAnswer(posted, observation.answer) : unchanged(record)
    case 'refused':
      if (record.phase !== 'intended') return unchanged(record)
      return refuse(record, observation.why, observation.refusal)
    case 'status':
      return report({ ...charge, record: posted }, toReportedState(observation.payload, askedAt), askedAt)
    case 'unknown': {
      if (record.phase === 'intended') return missCharge({ ...charge, record }, askedAt)
      if (isTooEarly(charge, askedAt)) return unchanged(record)
      return contradict(record, 'The gateway does not know this charge, which it once acknowledged.')
    }
    case 'confirmation': {
      const { confirmation, reported } = posted
      const next = transitionConfirmation(confirmation, observation.observation, reported)
      if (next.historyEntry === null) return unchanged(record)
      const confirmed = { ...posted, confirmation: next.confirmation }
      return emit({ ...charge, record: posted }, confirmed, next.historyEntry, askedAt)
    }
  }
}

function missCharge(charge: Charge<IntendedCharge>, askedAt: number): ChargeTransitionResult {
  const missed = missSubmission(charge, askedAt)
  const why = 'It was never sent: the server ended before that, and the payer no longer expects it.'
  return typeof missed === 'string' ? refuse(charge.record, why, null) : missed
}

function refuse(
  { request, given_digest, request_digest, people }: IntendedCharge,
  why: string,
  refusal: CheckoutError | null,
): ChargeTransitionResult {
  const requested = { request, given_digest, request_digest, people }
  const record: ChargeRecord = { phase: 'refused', ...requested, why, refusal }
  return { record, events: ['failed'], historyEntry: why }
}

/**
 * Returns the transition result that stores the gateway's response to the charge request. This response may arrive
 * after the gateway has already reported a status.
 */
function storeAnswer(record: PostedCharge, answer: ChargeResponse): ChargeTransitionResult {
  const { charge_request_id, total_amount, redirect_url = null, expires_at } = answer
  const until = expires_at === undefined ? null : Date.parse(expires_at)
  const stored = { charge_request_id, total_amount, redirect_url, expires_at: until }
  return note({ ...record, answer: stored }, `The gateway took it as ${charge_request_id}.`)
}

function postedOf(record: IntendedCharge | PostedCharge): PostedCharge {
  if (record.phase === 'posted') return record
  return {
    phase: 'posted',
    request: record.request,
    given_digest: record.given_digest,
    request_digest: record.request_digest,
    people: record.people,
    answer: null,
    reported: null,
    settled_at: null,
    confirmation: { stage: 'open' },
    emitted: [],
    contradiction: null,
  }
}

function report(
  charge: Charge<PostedCharge>,
  reported: ReportedState,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { status, amount } = reported
  if (!canFollow(record.reported, reported))
    return contradict(record, `The gateway said ${status} after ${record.reported?.status}, which is kept.`)
  const next = { ...record, reported, contradiction: null }
  const { outcome } = determineOutcome({ ...charge, record: next })
  const isNews = outcome !== determineOutcome(charge).outcome
  if (record.contradiction === null && isSameReport(record.reported, reported) && !isNews)
    return unchanged(record)
  return emit(charge, next, `The gateway says ${status}, ${amount} received: ${outcome}.`, askedAt)
}

/**
 * Returns the transition result with the record `next`. The result has an event if the outcome changed or the gateway
 * refused the service confirmation, unless the charge has already had an event of this type. Only `needs_attention` may
 * be repeated.
 */
function emit(
  charge: Charge<PostedCharge>,
  next: PostedCharge,
  historyEntry: string,
  askedAt: number,
): ChargeTransitionResult {
  const { emitted, settled_at, confirmation } = charge.record
  const { outcome, settled } = determineOutcome({ ...charge, record: next })
  const isNews = outcome !== determineOutcome(charge).outcome
  const isRefused = next.confirmation.stage === 'refused' && confirmation.stage !== 'refused'
  const isRepeated = (event: TrackedEvent) => event !== 'needs_attention' && emitted.includes(event)
  const events = isNews || isRefused ? eventsOf(outcome).filter((event) => !isRepeated(event)) : []
  return {
    record: {
      ...next,
      settled_at: settled ? (isNews ? askedAt : (settled_at ?? askedAt)) : null,
      emitted: [...emitted, ...events],
    },
    events,
    historyEntry,
  }
}
