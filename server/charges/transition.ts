/**
 * Computes the next record and the events of a charge from an observation. Pure.
 *
 * The gateway does not deduplicate charges, so the submission policy never sends a charge twice. A person has to check
 * the charge if the gateway does not know a charge that was sent, or if it reports money for a charge that it refused.
 */

import type { ChargeResponse } from '../contract/charge.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { TrackedEvent, TransitionResult } from '../transactions/transition.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import { hasMoney, moneyOf } from '../payins/money.ts'
import { canFollow, isSameReport, toReportedState } from '../payins/reported-state.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { contradict, eventsOf, unchanged } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'

export type Observation =
  /** The gateway acknowledged the charge with status_code 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError | null }
  | { kind: 'status'; payload: ChargeStatus }
  /** The gateway does not know the charge (status_code 120 in the response to a status query). */
  | { kind: 'unknown' }
  /** The gateway finds charges only by its own id, which the server does not know. */
  | { kind: 'unfound' }
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
  const posted = postedOf(record)
  if (record.phase === 'refused' && observation.kind !== 'status') return unchanged(record)
  switch (observation.kind) {
    case 'posted':
      if (posted.answer !== null) return unchanged(record)
      return storeAnswer({ ...charge, record: posted }, observation.answer, askedAt)
    case 'refused':
      if (record.phase !== 'intended') return unchanged(record)
      return refuse(record, observation.why, observation.refusal)
    case 'status': {
      const reported = toReportedState(observation.payload, askedAt, record.request.currency_code)
      const money = moneyOf(reported)
      // The merchant knows that a refused charge failed. If the gateway reports money all the same, a person has to check
      // the charge, because the payer may have paid a second time.
      if (record.phase === 'refused' && !hasMoney(money) && !money.returned) return unchanged(record)
      return report({ ...charge, record: posted }, reported, askedAt)
    }
    case 'unknown':
    case 'unfound':
      if (record.phase === 'intended') return missCharge({ ...charge, record }, askedAt, observation.kind)
      if (observation.kind === 'unfound' || isTooEarly(charge, askedAt)) return unchanged(record)
      return contradict(posted, 'The gateway does not know this charge, which it once acknowledged.')
    case 'confirmation': {
      const { confirmation, reported } = posted
      const isPaid = determineOutcome(charge).outcome === 'succeeded'
      const next = transitionConfirmation(confirmation, observation.observation, reported, isPaid)
      const { historyEntry } = next
      if (next.confirmation === confirmation) return { record, events: [], historyEntry }
      const confirmed = { ...posted, confirmation: next.confirmation }
      return emit({ ...charge, record: posted }, confirmed, historyEntry, askedAt)
    }
  }
}

function missCharge(
  charge: Charge<IntendedCharge>,
  askedAt: number,
  cause: 'unknown' | 'unfound',
): ChargeTransitionResult {
  const missed = missSubmission(charge, askedAt, cause)
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
 * after the gateway has already reported a status. The outcome may then change, because the response contains the total
 * and the expiry.
 */
function storeAnswer(
  charge: Charge<PostedCharge>,
  answer: ChargeResponse,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { charge_request_id, total_amount, redirect_url, auth_url, html } = answer
  const expires_at = answer.expires_at === null ? null : Date.parse(answer.expires_at)
  const stored = { charge_request_id, total_amount, redirect_url, auth_url, html, expires_at }
  return emit(charge, { ...record, answer: stored }, `The gateway took it as ${charge_request_id}.`, askedAt)
}

function postedOf(record: ChargeRecord): PostedCharge {
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
    // `refuse` has emitted `failed`.
    emitted: record.phase === 'refused' ? ['failed'] : [],
    contradiction: null,
  }
}

function report(
  charge: Charge<PostedCharge>,
  reported: ReportedState,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { status } = reported
  if (!canFollow(record.reported, reported))
    return contradict(record, `The gateway said ${status} after ${record.reported?.status}, which is kept.`)
  const next = { ...record, reported, contradiction: null }
  const { outcome } = determineOutcome({ ...charge, record: next })
  const isNews = outcome !== determineOutcome(charge).outcome
  if (record.contradiction === null && isSameReport(record.reported, reported) && !isNews)
    return unchanged(record)
  return emit(
    charge,
    next,
    `The gateway says ${status}, ${moneyOf(reported).received} received: ${outcome}.`,
    askedAt,
  )
}

/**
 * Returns the transition result with the record `next`. The result has an event if the outcome changed or the gateway
 * refused the service confirmation, unless the charge has already had an event of this type. Only `needs_attention` may
 * be repeated.
 */
function emit(
  charge: Charge<PostedCharge>,
  next: PostedCharge,
  historyEntry: string | null,
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
      ...(settled ? withoutPage(next) : next),
      settled_at: settled ? (isNews ? askedAt : (settled_at ?? askedAt)) : null,
      emitted: [...emitted, ...events],
    },
    events,
    historyEntry,
  }
}

/**
 * Returns the record without the page on which the payer authorizes a card payment, because this page may contain
 * details of the payment.
 */
function withoutPage(record: PostedCharge): PostedCharge {
  return record.answer ? { ...record, answer: { ...record.answer, auth_url: null, html: null } } : record
}
