/**
 * Computes the next record and the events of a checkout from an observation. Pure.
 *
 * The gateway's responses may arrive late, twice or out of order. Only {@link transition} changes a checkout's status.
 */

import type { EventType } from '../api/events.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { PayInOutcome } from '../payins/outcome.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { ConfirmationObservation } from '../payins/service-confirmation.ts'
import type { TransitionResult } from '../transactions/transition.ts'
import type { Checkout, CheckoutRecord, IntendedCheckout, OpenCheckout } from './record.ts'
import type { Opened } from './variants.ts'
import type { Visit } from './visit.ts'
import { compare } from '../contract/decimal.ts'
import { hasMoney, moneyOf } from '../payins/money.ts'
import { canFollow, isSameReport, toReportedState } from '../payins/reported-state.ts'
import { transitionConfirmation } from '../payins/service-confirmation.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { contradict, note, unchanged } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { addStart } from './visit.ts'
import { DAY, MINUTE } from '../transactions/schedule.ts'
import { isCharge } from './record.ts'

/**
 * An input of {@link transition}: a report of the gateway, the merchant's decision about the service confirmation, or a
 * shopper's request to start a checkout that already exists.
 */
export type Observation =
  /**
   * The gateway's successful response to the request that starts the checkout. The response may arrive after the
   * response to a status query.
   */
  | { kind: 'acknowledged'; answer: Opened }
  | { kind: 'status'; payload: ChargeStatus }
  /**
   * The gateway does not know the checkout (status_code 120 in the response to a status query). [spec: Checkout errors]
   */
  | { kind: 'unknown' }
  /** The gateway finds prompts only by its own id, which the server does not know. */
  | { kind: 'unfound' }
  /**
   * The checkout is refused, either by the gateway or by this server, for example because the gateway's response
   * contradicts the request. `refusal` is the gateway's error object; `null` if this server refuses the checkout.
   */
  | { kind: 'refused'; why: string; refusal: CheckoutError | null }
  | { kind: 'confirmation'; observation: ConfirmationObservation }
  /**
   * A shopper started the checkout again, for example in a second tab. `visit` (how the shopper opens the hosted page,
   * and where the return page sends the shopper) is merged into the stored visit.
   */
  | { kind: 'visit'; visit: Visit }

/** The type of an event about a checkout, without the prefix `checkout.`. */
export type CheckoutEvent = SuffixOf<EventType>
type SuffixOf<Type> = Type extends `checkout.${infer Suffix}` ? Suffix : never

type CheckoutTransitionResult = TransitionResult<CheckoutRecord, CheckoutEvent>

/**
 * Returns the next record of a checkout, with the events and the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  checkout: Checkout,
  observation: Observation,
  askedAt: number,
): CheckoutTransitionResult {
  const { record } = checkout
  switch (observation.kind) {
    case 'visit': {
      const visit = addStart(record.visit, observation.visit)
      if (visit === record.visit) return unchanged(record)
      return { record: { ...record, visit }, events: [], historyEntry: null }
    }
    case 'acknowledged':
      if (record.phase === 'intended') return open(record, observation.answer, askedAt)
      return record.phase === 'open' ? storeLateAnswer(record, observation.answer) : unchanged(record)
    case 'refused': {
      if (record.phase !== 'intended') return unchanged(record)
      const { why, refusal } = observation
      const ended = { ...keptOf(record), why, refusal, contradiction: null }
      const refused: CheckoutRecord = { phase: 'refused', ...ended }
      return { record: refused, events: refusal ? [] : ['needs_attention'], historyEntry: why }
    }
    case 'status': {
      const reported = toReportedState(observation.payload, askedAt, record.requested.currency)
      const known = record.phase === 'intended' ? openRecord(keptOf(record), NO_ANSWER, askedAt) : record
      return report({ ...checkout, record: known }, reported)
    }
    case 'unknown':
    case 'unfound':
      if (record.phase === 'intended') return miss({ ...checkout, record }, askedAt, observation.kind)
      if (record.phase !== 'open' || observation.kind === 'unfound' || isTooEarly(checkout, askedAt))
        return unchanged(record)
      return lose({ ...checkout, record }, askedAt)
    case 'confirmation':
      return record.phase === 'open'
        ? confirm({ ...checkout, record }, observation.observation)
        : unchanged(record)
  }
}

function miss(
  checkout: Checkout<IntendedCheckout>,
  askedAt: number,
  cause: 'unknown' | 'unfound',
): CheckoutTransitionResult {
  const missed = missSubmission(checkout, askedAt, cause)
  if (typeof missed !== 'string') return missed
  const kept = keptOf(checkout.record)
  const abandoned: CheckoutRecord = { phase: 'abandoned', ...kept, contradiction: null }
  return note(abandoned, 'The gateway never received this checkout; given up.')
}

/**
 * Returns the transition result for a service confirmation: either for the decision of the merchant, or for the
 * gateway's response to this decision. If the gateway refused the decision, the result has a `needs_attention` event.
 */
function confirm(
  checkout: Checkout<OpenCheckout>,
  observation: ConfirmationObservation,
): CheckoutTransitionResult {
  const { record } = checkout
  if (record.confirmation === null) return unchanged(record)
  const isConsistent = record.contradiction === null && record.unknown_at === null
  const isPaid = isConsistent && determineOutcome(checkout).outcome === 'paid'
  const next = transitionConfirmation(record.confirmation, observation, record.reported, isPaid)
  const { confirmation, historyEntry } = next
  if (confirmation === record.confirmation) return { record, events: [], historyEntry }
  const events = confirmation.stage === 'refused' ? (['needs_attention'] as const) : []
  return { record: { ...record, confirmation }, events, historyEntry }
}

/**
 * Returns the transition result for an acknowledged checkout that the gateway does not know in a status query. The
 * first such query causes a `needs_attention` event. After the session has expired, the checkout ends with what the
 * gateway last reported; as expired, if it never reported a status.
 */
function lose(checkout: Checkout<OpenCheckout>, askedAt: number): CheckoutTransitionResult {
  const { record } = checkout
  const lost = { ...record, unknown_at: askedAt }
  const before = determineOutcome(checkout)
  const after = determineOutcome({ ...checkout, record: lost })
  const isFirst = record.unknown_at === null
  if (!isFirst && after.settled === before.settled) return unchanged(record)
  const ends = eventsOf(before, after, record, record.reported)
  return {
    record: { ...lost, settled_at: after.settled ? (record.settled_at ?? askedAt) : null },
    events: isFirst ? ['needs_attention', ...ends] : ends,
    historyEntry: 'The gateway does not know this checkout, which it once acknowledged.',
  }
}

/** Returns the transition result for a reported state. */
function report(
  checkout: Checkout<Exclude<CheckoutRecord, IntendedCheckout>>,
  reported: ReportedState,
): CheckoutTransitionResult {
  const { record } = checkout
  const { status, at } = reported
  const money = moneyOf(reported)
  if (record.phase !== 'open') {
    if (!hasMoney(money) && !money.returned) return unchanged(record)
    return contradict(record, status, `The gateway says ${status} of a checkout that was ${record.phase}.`)
  }
  if (!canFollow(record.reported, reported)) {
    const why = `The gateway said ${status} after ${record.reported?.status}, which is kept: a person has to look.`
    return contradict(record, status, why)
  }
  const before = determineOutcome(checkout)
  const after = determineOutcome({ ...checkout, record: { ...record, reported } })
  const events = eventsOf(before, after, record, reported)
  const isConsistent = record.contradiction === null && record.unknown_at === null
  const isSame = after.settled === before.settled && isSameReport(record.reported, reported)
  if (isConsistent && events.length === 0 && isSame) return unchanged(record)
  return {
    record: {
      ...record,
      reported,
      settled_at: after.settled ? at : null,
      paid_emitted: record.paid_emitted || after.outcome === 'paid',
      unknown_at: null,
      contradiction: null,
    },
    events,
    historyEntry: `The gateway says ${status}, ${money.received} received: ${after.outcome}.`,
  }
}

/**
 * Returns the events for a reported state. A new outcome causes an event, and so does a change of the received amount
 * of a partial, overpaid, reversed or refunded checkout. A partial checkout causes another event when it settles. The
 * outcomes `unpaid` and `expired` cause an event only when they settle the checkout; `waiting` and `pending` cause no
 * event.
 */
function eventsOf(
  old: PayInOutcome,
  { outcome, settled, discrepancy }: PayInOutcome,
  { reported: before, paid_emitted }: OpenCheckout,
  reported: ReportedState | null,
): CheckoutEvent[] {
  const became = old.outcome !== outcome
  const becameSettled = settled && (became || !old.settled)
  const moneyChanged = compare(moneyOf(before).received, moneyOf(reported).received) !== 0
  switch (outcome) {
    case 'paid': {
      // A status response may omit a payment that the next response contains again, so `paid` is emitted only once.
      const becamePaid = became && !paid_emitted
      const isLate = old.settled && old.outcome !== 'review'
      const paid: CheckoutEvent[] = becamePaid ? [isLate ? 'paid_late' : 'paid'] : []
      const excess = discrepancy === 'excess' && (becamePaid || moneyChanged)
      return excess ? [...paid, 'overpaid'] : paid
    }
    case 'partial':
      return became || becameSettled || moneyChanged ? ['partial'] : []
    case 'unpaid':
    case 'expired':
      return becameSettled ? [outcome] : []
    case 'reversed':
    case 'refunded':
      return became || moneyChanged ? [outcome] : []
    case 'review':
      return became ? [outcome] : []
    case 'jammed':
      return became ? ['needs_attention'] : []
    case 'waiting':
    case 'pending':
      return []
  }
}

type Opening = TransitionResult<OpenCheckout, 'needs_attention'>
/** The part of the record that is kept when the submission is deleted. */
type Kept = Pick<CheckoutRecord, 'requested' | 'visit' | 'people' | 'prompt'>

function keptOf({ requested, visit, people, prompt }: IntendedCheckout): Kept {
  return { requested, visit, people, ...(prompt && { prompt }) }
}

function open(intended: IntendedCheckout, answer: Opened, askedAt: number): Opening {
  return note(openRecord(keptOf(intended), answer, askedAt), describeAnswer(intended, answer))
}

function describeAnswer({ prompt }: Kept, { checkout_reference, charge_request_id }: Opened): string {
  if (prompt) return `The gateway prompts the payer under ${charge_request_id}.`
  return `The gateway opened ${checkout_reference === null ? 'it' : `checkout ${checkout_reference}`}.`
}

/** The session of a checkout whose acknowledgement was lost. Its page is unknown. */
export const NO_ANSWER: Opened = {
  checkout_reference: null,
  charge_request_id: null,
  redirect_url: null,
  expires_at: null,
}

/** Returns the record of a checkout that the gateway knows. */
export function openRecord(
  kept: Kept,
  { checkout_reference, charge_request_id, redirect_url, expires_at }: Opened,
  askedAt: number,
): OpenCheckout {
  // [assumed] If the response contains no time of expiry, the session has the lifetime that was requested. The request
  // of a charge contains no lifetime: its page may take money for a day.
  const lifetime = isCharge(kept) ? DAY : kept.requested.expires_in * MINUTE
  const until = expires_at === null ? askedAt + lifetime : Date.parse(expires_at)
  return {
    phase: 'open',
    ...kept,
    session: { checkout_reference, charge_request_id, redirect_url, expires_at: until },
    reported: null,
    settled_at: null,
    paid_emitted: false,
    unknown_at: null,
    contradiction: null,
    confirmation: isCharge(kept) ? { stage: 'open' } : null,
  }
}

/**
 * Returns the transition result for the gateway's acknowledgement, if it arrives after a status of the checkout was
 * reported. The acknowledgement contains the page, the gateway's id and the time of expiry.
 */
function storeLateAnswer(record: OpenCheckout, answer: Opened): Opening {
  const { session } = record
  if (session.charge_request_id !== null || session.redirect_url !== null) return unchanged(record)
  const expires_at = answer.expires_at === null ? session.expires_at : Date.parse(answer.expires_at)
  return note({ ...record, session: { ...answer, expires_at } }, describeAnswer(record, answer))
}
