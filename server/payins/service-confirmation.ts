/**
 * The merchant's decision about a paid charge, or a paid checkout with splits: whether the paid service was provided
 * (SUCCESSFUL or FAILED). The gateway then distributes the money or refunds the payer. Pure. [spec: Service processing
 * confirmation, Split settlement flow]
 *
 * A decision is stored, and is then sent repeatedly until the gateway responds. [assumed] A decision that is sent twice
 * has no second effect. The first decision is final, unless the gateway refuses it: then the merchant may decide again.
 * A decision about a payment whose id the gateway has not reported waits for the id.
 *
 * If the merchant's backend accepts the event about the payment before any decision was sent to the API, the decision
 * is SUCCESSFUL. To refuse service, the backend must therefore send FAILED before it accepts the event. An acceptance is
 * about the money of its event: once this has gone back, or a person has resolved the pay-in, it confirms nothing.
 *
 * Each confirmation names one payment: the decision is sent about each that is held, from the first to the last. FAILED
 * is also sent about what is paid later. About what is paid after SUCCESSFUL, the merchant decides anew.
 */

import { compare } from '../contract/decimal.ts'
import { CONFIRMING_DEADLINE_MS, HOUR } from '../transactions/schedule.ts'
import {
  changed,
  hasEnded,
  hasSucceeded,
  isContradicted,
  LATE,
  unchanged,
} from '../transactions/transition.ts'
import {
  heldAfter,
  heldFrom,
  holdsDecided,
  isBack,
  isHeld,
  isReplacement,
  isUndecided,
  undecidedIn,
} from './held-payments.ts'
import { moneyOf } from './reported-money.ts'

import type { TrackedFulfilment } from '../api/charge.ts'
import type { Decision, ServiceConfirmation } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Alarm, TransitionResult } from '../transactions/transition.ts'
import type { ReportedState } from './reported-state.ts'

export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

export type GatewayAnswer = Extract<ServiceConfirmation, { stage: 'confirmed' | 'refused' }>

/** The observation of a pay-in that concerns its service confirmation. */
export type Confirming =
  | { kind: 'decided'; decision: MerchantDecision }
  /**
   * The merchant's backend accepted the event about the payment, without a decision. `received` is what the event says is
   * paid: decimal text in major units; `null` if it does not say so.
   */
  | { kind: 'accepted'; received: string | null }
  /** The gateway accepted or refused the decision. */
  | { kind: 'answered'; answer: GatewayAnswer }

/** The history entry of an acceptance that does not confirm the service yet. */
const NOT_PAID_NOW =
  'The merchant accepted an event about the payment, which does not count as paid now. It is confirmed when it does again.'

/** Why a person has to look after a decision, as a sentence. */
export const NOT_DELIVERED = `The decision about the service could not be delivered for ${CONFIRMING_DEADLINE_MS / HOUR} hours.`

/** The decision that is stored when the merchant's backend accepts the event about a payment. */
export const SERVED: MerchantDecision = {
  status: 'SUCCESSFUL',
  narration: 'The merchant accepted the event about the payment.',
}

/** The fields of a pay-in's record that a service confirmation reads or changes. */
interface Confirmable {
  confirmation: ServiceConfirmation | null
  reported: ReportedState | null
  alarm: Alarm | null
  resolution: Resolution | null
}

export type Reported = Pick<Confirmable, 'confirmation' | 'reported'>

/**
 * Returns the transition result for a service confirmation. The merchant can decide only while the gateway holds the
 * payer's money, and can replace a decision only after the gateway has refused this decision.
 *
 * @param isPaid Whether the pay-in still counts as paid as requested. If not, the acceptance of an event is kept until
 * the pay-in does again: the event may be outdated, and what is doubted may clear up.
 */
export function transitionConfirmation<Record extends Confirmable>(
  record: Record,
  observation: Confirming,
  isPaid: boolean,
  now: number,
): TransitionResult<Record> {
  const { confirmation, reported } = record
  if (confirmation === null) {
    return unchanged(record)
  }

  switch (observation.kind) {
    case 'accepted':
      if (confirmation.stage === 'refused' || isOutdated(confirmation)) {
        return unchanged(record)
      }
      if (confirmation.stage === 'confirmed' && !isAboutAll(observation.received, reported)) {
        return unchanged(record)
      }
      if (isPaid) {
        return transitionConfirmation(record, { kind: 'decided', decision: SERVED }, isPaid, now)
      }
      if (confirmation.stage !== 'open' || confirmation.acceptance === 'given') {
        return unchanged(record)
      }
      return changed({ ...record, confirmation: { stage: 'open', acceptance: 'given' } }, NOT_PAID_NOW)
    case 'decided': {
      if (!isHeld(reported) || !isUndecided(confirmation, reported)) {
        return unchanged(record)
      }

      const { status, narration } = observation.decision
      const decision = { status, narration, payment_id: undecidedIn(confirmation, reported) }
      const decided = { stage: 'decided', decision, decided_at: now } as const
      // No alarm is lost: `SERVED` is only stored if there is none (`isPaid`), and a decision through the API says what
      // becomes of the held money, which is what a person would have to decide. A contradiction raises an alarm again,
      // unless a person has resolved it.
      const isResolved = record.resolution !== null && isContradicted(record.alarm)
      const alarm = isResolved ? record.alarm : null
      return changed({ ...record, confirmation: decided, alarm }, `The merchant says ${status}: ${narration}`)
    }
    case 'answered': {
      const { answer } = observation
      // What the gateway takes counts, also if the decision was withdrawn meanwhile.
      const isTaken = confirmation.stage === 'refused' && answer.stage === 'confirmed'
      if (confirmation.stage !== 'decided' && !isTaken) {
        return unchanged(record)
      }
      if (JSON.stringify(answer.decision) !== JSON.stringify(confirmation.decision)) {
        return changed(record, 'The response of the gateway to an earlier decision does not count.')
      }

      const sentence =
        answer.stage === 'refused' ? answer.message : `The gateway accepted ${answer.decision.status}.`
      // The decision has been delivered.
      const alarm = record.alarm?.until === 'confirmed' ? null : record.alarm
      const payment_id = answer.stage === 'confirmed' ? extendsTo(reported, answer.decision) : null
      const next =
        payment_id === null ? answer : { ...confirmation, decision: { ...answer.decision, payment_id } }
      return changed({ ...record, confirmation: next, alarm }, sentence)
    }
  }
}

/** Returns whether an event tells of all money that is held: what was paid after it is not accepted by it. */
function isAboutAll(received: string | null, reported: ReportedState | null): boolean {
  return received !== null && compare(received, moneyOf(reported).received) === 0
}

/** Why a decision is no longer sent. It may have been sent, and its answer lost. */
const MONEY_GONE =
  'The money went back before an answer to the decision arrived. The decision is no longer sent.'

const WITHDRAWN =
  'A person resolved it before an answer to the decision arrived. The decision is no longer sent.'

/** The service confirmation if no event from before says anything about the held money. */
const ONLY_BY_API: ServiceConfirmation = { stage: 'open', acceptance: 'outdated' }
/** The same, if the payment of which the events from before told has been replaced by the held one. */
const REPLACED_UNSEEN: ServiceConfirmation = { stage: 'open', acceptance: 'replaced' }

/**
 * Returns the service confirmation after a person has resolved the pay-in, which confirms no service: a decision that the
 * gateway has not answered would be sent with the next query, and move money. Which decision it was is kept.
 */
export function withdrawn(confirmation: ServiceConfirmation | null): ServiceConfirmation | null {
  switch (confirmation?.stage) {
    case 'open':
      return ONLY_BY_API
    case 'decided':
      return { stage: 'refused', decision: confirmation.decision, message: WITHDRAWN }
    case 'confirmed':
    case 'refused':
    case undefined:
      return confirmation ?? null
  }
}

/**
 * Returns the service confirmation after a report. A decision is about held money: without any, it is no longer sent, and
 * money that comes after it went back is not decided. If the gateway had not named the payment when the merchant
 * decided, the decision is about the one that it names now. FAILED is sent about what is paid later, too, unless a person
 * has resolved the pay-in.
 */
export function confirmationAfter(
  { confirmation, reported: before, resolution }: Reported & { resolution: Resolution | null },
  reported: ReportedState,
  now: number,
): ServiceConfirmation | null {
  if (confirmation !== null && moneyOf(before).returned && isHeld(reported)) {
    return ONLY_BY_API
  }
  if (isReplacement(before, reported) && isHeld(reported)) {
    return replaced(confirmation)
  }
  if (confirmation?.stage === 'confirmed' && resolution === null && isRefundDue({ confirmation, reported })) {
    const { decision } = confirmation
    const payment_id = heldAfter(reported, decision)
    return payment_id === null
      ? confirmation
      : { stage: 'decided', decision: { ...decision, payment_id }, decided_at: now }
  }
  if (confirmation?.stage !== 'decided') {
    return confirmation
  }

  const { decision } = confirmation
  if (!isHeld(reported)) {
    return { stage: 'refused', decision, message: MONEY_GONE }
  }
  if (decision.payment_id !== null) {
    return confirmation
  }
  return { ...confirmation, decision: { ...decision, payment_id: heldFrom(reported.payments) } }
}

/**
 * Returns the service confirmation after the payment that it is about was replaced by another one: an event or a decision
 * from before says nothing about that, but for FAILED, which is also sent about what is paid later.
 */
function replaced(confirmation: ServiceConfirmation | null): ServiceConfirmation | null {
  if (confirmation?.stage === 'open') {
    return confirmation.acceptance === 'outdated' ? confirmation : REPLACED_UNSEEN
  }
  if (confirmation?.stage === 'decided' && confirmation.decision.status === 'SUCCESSFUL') {
    return { stage: 'refused', decision: confirmation.decision, message: MONEY_GONE }
  }
  return confirmation
}

/**
 * Returns the id of the payment about which a decision is sent next, once the gateway has taken it about one; `null` if
 * there is none. SUCCESSFUL is not about what was paid in place of a payment that went back.
 */
function extendsTo(reported: ReportedState | null, decision: Decision): string | null {
  if (reported === null) {
    return null
  }

  const isOver = decision.status === 'SUCCESSFUL' && isBack(reported, decision.payment_id)
  return isOver ? null : heldAfter(reported, decision)
}

/**
 * Returns whether held money waits for the merchant's decision about the service, or for the gateway to take it, also if
 * a person has resolved the pay-in as paid.
 */
export function awaitsService({
  confirmation,
  reported,
  resolution,
}: Reported & { resolution: Resolution | null }): boolean {
  const isServed = confirmation === null || confirmation.stage === 'confirmed'
  return !isServed && isHeld(reported) && (resolution === null || resolution.says === 'paid')
}

/** Returns whether the merchant has said FAILED about the service, whatever the gateway answered. */
export function isServiceRefused(confirmation: ServiceConfirmation | null): boolean {
  return confirmation !== null && confirmation.stage !== 'open' && confirmation.decision.status === 'FAILED'
}

/** Why money waits for a person that was paid in place of a confirmed payment. */
const REPLACED =
  'A payment of which you were told went back, and another one is held, about which nobody has decided.'

/** Returns whether a payment went back of which the merchant was told, and a later one is held. */
function isReplaced(confirmation: ServiceConfirmation, reported: ReportedState): boolean {
  if (confirmation.stage === 'open') {
    return confirmation.acceptance === 'replaced'
  }
  if (confirmation.stage !== 'confirmed' || !isUndecided(confirmation, reported)) {
    return false
  }
  return isBack(reported, confirmation.decision.payment_id)
}

/** Why money that was paid after FAILED waits for a person. */
const UNWANTED = 'The merchant has refused the service, and it was paid in full all the same.'

/**
 * Returns why held money waits for a person, as a sentence: the gateway refused the decision about the service, the
 * payment has replaced one whose service was confirmed, or it came after the merchant was told of an end or has refused
 * the service, and may be of no use any more. `null` if it waits for nobody.
 *
 * @param isPaid Whether the pay-in counts as paid as requested.
 */
export function whyUnserved(
  { confirmation, reported, told }: Reported & { told: readonly string[] },
  isPaid: boolean,
): string | null {
  if (confirmation === null || !isHeld(reported)) {
    return null
  }
  if (confirmation.stage === 'refused') {
    return confirmation.message
  }
  if (isReplaced(confirmation, reported)) {
    return REPLACED
  }

  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  if (!isPaid || (isServed && !isUndecided(confirmation, reported))) {
    return null
  }
  if (hasEnded(told)) {
    return LATE.succeeded
  }
  return isServiceRefused(confirmation) && !hasSucceeded(told) ? UNWANTED : null
}

/** Returns whether the gateway accepted the decision FAILED but has not reported the refund of the payer yet. */
export function isRefundDue({ confirmation, reported }: Reported): boolean {
  if (confirmation?.stage !== 'confirmed' || confirmation.decision.status !== 'FAILED') {
    return false
  }
  return reported !== null && holdsDecided(reported, confirmation.decision)
}

/** Converts a service confirmation to the field `fulfilment` of a charge in the API's responses. */
export function trackedFulfilmentOf(confirmation: ServiceConfirmation): TrackedFulfilment {
  const { stage } = confirmation
  if (stage === 'open') {
    return { stage, status: null, narration: null, payment_id: null, message: null }
  }

  const message = 'message' in confirmation ? confirmation.message : null
  return { stage, ...confirmation.decision, message }
}

function isOutdated(confirmation: ServiceConfirmation): boolean {
  return confirmation.stage === 'open' && ['outdated', 'replaced'].includes(confirmation.acceptance)
}
