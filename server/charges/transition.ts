/**
 * Computes the next record and the events of a charge from an observation. Pure.
 *
 * The gateway does not deduplicate charges, so the submission policy never resends one. If the gateway does not know a
 * sent charge, a person has to look.
 */

import type { ChargeResponse } from '../contract/charge.ts'
import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { Transition } from '../transactions/transition.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import { canFollow, isSameReport, toReportedState } from '../payins/reported-state.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { contradict, unchanged } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'

export type Observation =
  /** 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError }
  | { kind: 'status'; payload: CheckoutPayload }
  /** 120. */
  | { kind: 'unknown' }
  | { kind: 'confirmation'; observation: ConfirmationObservation }

export type ChargeEvent = PostedCharge['emitted'][number]

type ChargeTransition = Transition<ChargeRecord, ChargeEvent>

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(charge: Charge, observation: Observation, askedAt: number): ChargeTransition {
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

function transitionIntended(
  charge: Charge<IntendedCharge>,
  observation: Observation,
  askedAt: number,
): ChargeTransition {
  const { record } = charge
  switch (observation.kind) {
    case 'posted':
      return storeAnswer(postedOf(record), observation.answer)
    case 'refused':
      return refuse(record, observation.why, observation.refusal)
    case 'status':
      return report(
        { ...charge, record: postedOf(record) },
        toReportedState(observation.payload, askedAt),
        askedAt,
      )
    case 'unknown': {
      const missed = missSubmission(charge, askedAt)
      if (typeof missed !== 'string') return missed
      return refuse(
        record,
        'It was never sent: the server ended before that, and the payer no longer expects it.',
        null,
      )
    }
    case 'confirmation':
      return unchanged(record)
  }
}

function refuse(
  { request, given_digest }: IntendedCharge,
  why: string,
  refusal: CheckoutError | null,
): ChargeTransition {
  return {
    record: { phase: 'refused', request, given_digest, why, refusal },
    events: ['failed'],
    historyEntry: why,
  }
}

function transitionPosted(
  charge: Charge<PostedCharge>,
  observation: Observation,
  askedAt: number,
): ChargeTransition {
  const { record } = charge
  switch (observation.kind) {
    case 'posted':
      return record.answer === null ? storeAnswer(record, observation.answer) : unchanged(record)
    case 'refused':
      return unchanged(record)
    case 'status':
      return report(charge, toReportedState(observation.payload, askedAt), askedAt)
    case 'unknown': {
      if (isTooEarly(charge, askedAt)) return unchanged(record)
      const why = 'The gateway does not know this charge, which it once acknowledged.'
      return contradict(record, why, why)
    }
    case 'confirmation': {
      const { confirmation, historyEntry } = transitionConfirmation(
        record.confirmation,
        observation.observation,
        record.reported,
      )
      if (historyEntry === null) return unchanged(record)
      return emit(charge, { ...record, confirmation }, historyEntry, askedAt)
    }
  }
}

/** Stores the response to the request, even if a status was reported first. */
function storeAnswer(record: PostedCharge, answer: ChargeResponse): ChargeTransition {
  const { charge_request_id, total_amount, redirect_url = null, expires_at } = answer
  const until = expires_at === undefined ? null : Date.parse(expires_at)
  return {
    record: { ...record, answer: { charge_request_id, total_amount, redirect_url, expires_at: until } },
    events: [],
    historyEntry: `The gateway took it as ${charge_request_id}.`,
  }
}

function postedOf({ request, given_digest }: IntendedCharge): PostedCharge {
  return {
    phase: 'posted',
    request,
    given_digest,
    answer: null,
    reported: null,
    settled_at: null,
    confirmation: { stage: 'open' },
    emitted: [],
    contradiction: null,
  }
}

function report(charge: Charge<PostedCharge>, reported: ReportedState, askedAt: number): ChargeTransition {
  const { record } = charge
  if (!canFollow(record.reported, reported)) {
    const why = `The gateway said ${reported.status} after ${record.reported?.status}, which is kept.`
    return contradict(record, why, why)
  }
  const next = { ...record, reported, contradiction: null }
  const { outcome } = determineOutcome({ ...charge, record: next })
  const isNews = outcome !== determineOutcome(charge).outcome
  if (record.contradiction === null && isSameReport(record.reported, reported) && !isNews)
    return unchanged(record)
  const historyEntry = `The gateway says ${reported.status}, ${reported.amount} received: ${outcome}.`
  return emit(charge, next, historyEntry, askedAt)
}

/**
 * Returns the next record, with an event if the outcome is new. Each outcome emits one event, except `needs_attention`.
 */
function emit(
  charge: Charge<PostedCharge>,
  next: PostedCharge,
  historyEntry: string,
  askedAt: number,
): ChargeTransition {
  const { emitted, settled_at, confirmation } = charge.record
  const { outcome, settled } = determineOutcome({ ...charge, record: next })
  const isNews = outcome !== determineOutcome(charge).outcome
  const isRefused = next.confirmation.stage === 'refused' && confirmation.stage !== 'refused'
  const isEvent =
    (isNews || isRefused) &&
    outcome !== 'pending' &&
    outcome !== 'sending' &&
    (outcome === 'needs_attention' || !emitted.includes(outcome))
  const events = isEvent ? [outcome] : []
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
