/** Computes the next record of a charge from an observation, and the events about a new record. Pure. */

import { compare } from '../contract/decimal.ts'
import { UNREPORTED } from '../payins/record.ts'
import { moneyOf } from '../payins/reported-money.ts'
import { createPayInTransition } from '../payins/transition.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { isNewResolution } from '../transactions/resolution.ts'
import { announce } from '../transactions/standing.ts'
import { tell } from '../transactions/told.ts'
import {
  Answer,
  determineOutcome,
  expiryOf,
  isDirect,
  isFollowedAsSettled,
  payInOutcomeOf,
} from './record.ts'

import type { Outcome } from '../api/view.ts'
import type { ChargeResponse } from '../contract/charge.ts'
import type { PayInObservation } from '../payins/rules.ts'
import type { Overdue } from '../transactions/observation.ts'
import type { TrackedEvent } from '../transactions/standing.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type { Charge, ChargeRecord, ClosedCharge, IntendedCharge, OpenCharge } from './record.ts'

export type Observation = PayInObservation<ChargeResponse>

/** The type of an event about a charge, without the prefix `charge.`. */
export type ChargeEvent = TrackedEvent | 'overpaid'

/**
 * Returns the next record of a charge, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export const transition: (
  charge: Charge,
  observation: Observation | Overdue,
  askedAt: number,
) => TransitionResult<ChargeRecord> = createPayInTransition<
  IntendedCharge,
  OpenCharge,
  ClosedCharge,
  ChargeResponse
>({
  currencyOf: ({ request }) => request.currency_code,
  // The gateway does not deduplicate charges.
  sendRuleOf: () => 'once',
  lostPageOf: () => ({ kind: 'none' }),
  open: (record, answer, at) => ({
    phase: 'open',
    ...requestedIn(record),
    answer: answer && Answer.parse(answer),
    answered_at: at,
    ...UNREPORTED,
    confirmation: UNDECIDED,
  }),
  isIdentified: ({ answer }) => answer !== null,
  withAnswer: (record, answer) => (record.answer ? record : { ...record, answer: Answer.parse(answer) }),
  close: (record, closing) => ({ ...requestedIn(record), ...closing }),
  // The pages may contain details of the payment, and the payer needs them no more.
  clear: ({ answer, ...record }) => ({
    ...record,
    answer: answer && { ...answer, auth_url: null, html: null },
  }),
  standingOf: (charge) => ({ ...determineOutcome(charge), settled: isFollowedAsSettled(charge) }),
  // No order is started again on the page of a charge.
  isPayable: () => false,
  meaningOf(charge) {
    const { reported, gone_at } = charge.record
    if (reported === null) {
      return { outcome: gone_at === null ? 'pending' : 'failed', settled: gone_at !== null }
    }

    const { outcome, settled } = payInOutcomeOf(charge, reported)
    return { outcome: outcomeOf(outcome, settled), settled }
  },
  sessionEndOf: ({ record }) => (isDirect(record, record.reported) ? null : expiryOf(record)),
  describe: (_, { charge_request_id }) => `The gateway took it as ${charge_request_id}.`,
})

/** Returns how the outcome of a pay-in is called for a charge. */
function outcomeOf(outcome: Outcome, isSettled: boolean): string {
  switch (outcome) {
    case 'waiting':
      return 'pending'
    case 'unpaid':
      return isSettled ? 'failed' : 'pending'
    case 'expired':
      return 'failed'
    case 'paid':
      return 'succeeded'
    case 'partial':
    case 'pending':
    case 'jammed':
    case 'review':
    case 'reversed':
    case 'refunded':
      return outcome
  }
}

/** Returns the part of a record that every phase has. */
function requestedIn({ request, given_digest, narration, people, told, resolution, named_id }: ChargeRecord) {
  return { request, given_digest, narration, people, told, resolution, named_id }
}

/** Returns the events about a new record, in the order of delivery, and the record with what the merchant was told. */
export function announceCharge(
  before: Charge,
  after: Charge,
): { record: ChargeRecord; events: ChargeEvent[] } {
  const old = determineOutcome(before)
  const standing = determineOutcome(after)
  const isResolved = isNewResolution(before.record, after.record)
  // What a person has to check is another thing if more or less was paid.
  const isSameMoney = compare(receivedFor(before), receivedFor(after)) === 0
  const { record, events } = announce(after.record, isSameMoney ? old : null, standing, isResolved)
  const { outcome } = standing
  if (!isResolved && (outcome === 'reversed' || outcome === 'refunded') && isMoreBack(before, after)) {
    return { record, events: [outcome] }
  }
  if (isResolved || !isExcessNews(before, after)) {
    return { record, events }
  }

  return { record: tell(record, ['overpaid']), events: [...events, 'overpaid'] }
}

/**
 * Returns whether more was paid for a charge than was asked, or no longer is, and the merchant does not know: who was
 * told of an excess may return it.
 */
function isExcessNews(before: Charge, after: Charge): boolean {
  const old = determineOutcome(before)
  const standing = determineOutcome(after)
  if (standing.outcome !== 'succeeded') {
    return false
  }

  const isOrWas = standing.discrepancy === 'excess' || old.discrepancy === 'excess'
  return isOrWas && (old.outcome !== 'succeeded' || compare(receivedFor(before), receivedFor(after)) !== 0)
}

/** Returns whether more of the money went back of which a part did, in the same way, as the merchant was told. */
function isMoreBack(before: Charge, after: Charge): boolean {
  const isSame = determineOutcome(before).outcome === determineOutcome(after).outcome
  return isSame && compare(receivedFor(after), receivedFor(before)) < 0
}

function receivedFor({ record }: Charge): string {
  return moneyOf(record.phase === 'open' ? record.reported : null).received
}
