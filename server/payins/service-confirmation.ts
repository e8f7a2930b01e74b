/**
 * The merchant's decisions about a paid charge, or a paid checkout with splits: whether the paid service was provided
 * (SUCCESSFUL or FAILED). The gateway then distributes the money or refunds the payer. Pure. [spec: Service processing
 * confirmation, Split settlement flow]
 *
 * Each confirmation names one payment, so each payment has its own: what the merchant decided about it, and what the
 * gateway answered. A decision is about the payments that are held when it is made and have none yet. It is stored, and
 * sent repeatedly until the gateway responds. [assumed] A decision that is sent twice has no second effect. The first
 * decision about a payment is final, unless the gateway refuses it: then the merchant may decide again. A refusal counts
 * only if the gateway certainly has not taken the decision before; the merchant can repeat what it may have taken, and
 * not decide otherwise, also after a person has resolved the pay-in. A decision stays with its payment. One about a
 * payment whose id the gateway has not reported waits for the id; if a report does not show which payment it was about, it
 * ends, and a person is told. While the gateway contradicts itself about the money, nothing is sent.
 *
 * If the merchant's backend accepts the event about a payment before any decision about it was sent to the API, the
 * decision is SUCCESSFUL. To refuse service, the backend must therefore send FAILED before it accepts the event. FAILED is
 * also sent about what is paid later. About what is paid after SUCCESSFUL, the merchant decides anew.
 */

import { add, compare, larger } from '../contract/decimal.ts'
import { isInDoubt } from '../transactions/alarm.ts'
import { pendingIn, sendableIn } from '../transactions/kind.ts'
import { CONFIRMING_DEADLINE_MS, HOUR } from '../transactions/schedule.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'
import { amountOf, isAboutHeld, isBack, paymentOf } from './held-payments.ts'
import { moneyOf } from './reported-money.ts'

import type { Alarm } from '../transactions/alarm.ts'
import type {
  Decision,
  PaymentConfirmation,
  PendingConfirmation,
  Sendable,
  ServiceConfirmation,
} from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type { ReportedState } from './reported-state.ts'

export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

/** What the gateway answers to a decision. */
export type GatewayAnswer =
  | { stage: 'confirmed'; decision: Decision; message: string | null }
  | { stage: 'refused'; decision: Decision; message: string }

/** The observation of a pay-in that concerns its service confirmation. */
export type Confirming =
  | { kind: 'decided'; decision: MerchantDecision }
  /**
   * The merchant's backend accepted the event about the payment, without a decision. `received` is what the event says is
   * paid: decimal text in major units.
   */
  | { kind: 'accepted'; received: string }
  /** The decision is sent now. `mayBeLost` says whether the store may have lost that it was sent before. */
  | { kind: 'sending'; decision: Decision; mayBeLost: boolean }
  /** The decision was sent, and has no answer. `isUnsent` says whether it certainly did not reach the gateway. */
  | { kind: 'undelivered'; decision: Decision; isUnsent: boolean }
  /** The gateway accepted or refused a decision. */
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
export interface Confirmable {
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
    case 'accepted': {
      const { received } = observation
      const accepted = acceptedIn(confirmation, reported, received)
      if (confirmation.payments.length > 0 && accepted.length === 0) {
        return unchanged(record)
      }

      const held = accepted.filter((each) => isAboutHeld(each, reported))
      if (isPaid && held.length > 0) {
        return decide(record, { ...confirmation, accepted: null }, held, SERVED, now)
      }

      const most = larger(confirmation.accepted ?? '0', received)
      if (most === confirmation.accepted) {
        return unchanged(record)
      }
      return changed({ ...record, confirmation: { ...confirmation, accepted: most } }, NOT_PAID_NOW)
    }
    case 'decided': {
      const { decision } = observation
      const held = confirmation.payments.filter(
        (each) => isDecidable(each, decision) && isAboutHeld(each, reported),
      )
      return held.length === 0
        ? unchanged(record)
        : decide(record, { ...confirmation, accepted: null }, held, decision, now)
    }
    case 'sending': {
      const { decision, mayBeLost } = observation
      return withSends(record, confirmation, decision, (each) => {
        const before = mayBeLost ? Math.max(each.unanswered, 1) : each.unanswered
        return each.stage === 'decided' ? { ...each, sent_at: now, unanswered: before + 1 } : each
      })
    }
    case 'undelivered': {
      const { decision, isUnsent } = observation
      return isUnsent ? withSends(record, confirmation, decision, withoutOneSend) : unchanged(record)
    }
    case 'answered':
      return answered(record, confirmation, observation.answer, now)
  }
}

/** The confirmation of a payment that may have a send without an answer. */
type Sent = PendingConfirmation | RefusedConfirmation
type RefusedConfirmation = Extract<PaymentConfirmation, { stage: 'refused' }>

/** Returns the confirmation without one of its sends, which the gateway certainly has not taken. */
function withoutOneSend<Confirmation extends Sent>(confirmation: Confirmation): Confirmation {
  return { ...confirmation, unanswered: Math.max(confirmation.unanswered - 1, 0) }
}

/** Returns the transition result of a send of a decision, of which nobody but the server sees anything. */
function withSends<Record extends Confirmable>(
  record: Record,
  confirmation: ServiceConfirmation,
  decision: Decision,
  change: (confirmation: Sent) => Sent,
): TransitionResult<Record> {
  const payments = confirmation.payments.map((each) => (isSendOf(each, decision) ? change(each) : each))
  const next = { ...record, confirmation: { ...confirmation, payments } }
  return { record: next, historyEntry: null, isUnseen: true }
}

/** Returns whether a decision about a payment was sent or is sent, in whatever words. */
function isSendOf(each: PaymentConfirmation, { status, payment_id }: Decision): each is Sent {
  const isSent = each.stage === 'decided' || each.stage === 'refused'
  return isSent && each.decision.status === status && each.decision.payment_id === payment_id
}

/**
 * Returns whether the merchant can decide so about a payment. What the gateway may have taken can be repeated, and not be
 * decided otherwise.
 */
function isDecidable(each: PaymentConfirmation, { status }: MerchantDecision): boolean {
  const isRefused = each.stage === 'refused' && (each.unanswered === 0 || each.decision.status === status)
  return each.stage === 'open' || isRefused
}

/** Returns the transition result of a decision about some of the payments. */
function decide<Record extends Confirmable>(
  record: Record,
  confirmation: ServiceConfirmation,
  about: readonly PaymentConfirmation[],
  { status, narration }: MerchantDecision,
  now: number,
): TransitionResult<Record> {
  const payments = confirmation.payments.map((each) => {
    const decision = { status, narration, payment_id: paymentOf(each) }
    return about.includes(each) ? newlyDecided(decision, now, unansweredOf(each)) : each
  })
  const next = { ...record, confirmation: { ...confirmation, payments } }
  const decided = isAnsweredByDecision(record, now) ? { ...next, alarm: null } : next
  return changed(decided, `The merchant says ${status}: ${narration}`)
}

/**
 * Returns whether a new decision says what a person would have to decide, who was called by the alarm: what becomes of
 * all held money. An alarm about another payment stays, and so does a contradiction that a person has resolved, because
 * it would raise an alarm again.
 */
function isAnsweredByDecision({ alarm, resolution, confirmation }: Confirmable, now: number): boolean {
  if (alarm === null || confirmation === null) {
    return true
  }
  switch (alarm.until) {
    case 'refunded':
      return false
    case 'confirmed':
      return !isLate(alarm, confirmation, now)
    case 'returned':
    case 'resolved':
      return resolution === null && pendingIn(confirmation).length === 0
    case 'reported':
    case 'settled':
      return true
  }
}

/** Returns the confirmation of a payment about which the merchant has just decided. */
export function newlyDecided(decision: Decision, decided_at: number, unanswered = 0): PaymentConfirmation {
  return { stage: 'decided', decision, decided_at, sent_at: null, unanswered }
}

/** Returns how many sends of a decision about a payment the gateway may have taken. */
function unansweredOf(confirmation: PaymentConfirmation): number {
  return 'unanswered' in confirmation ? confirmation.unanswered : 0
}

/**
 * Returns whether a decision stands: the gateway has taken it or may have, or it is sent until the gateway answers.
 */
export function isStanding(
  each: PaymentConfirmation,
): each is Extract<PaymentConfirmation, { decision: Decision }> {
  return each.stage === 'decided' || each.stage === 'confirmed' || unansweredOf(each) > 0
}

/** Returns whether an alarm is about a decision that still could not be delivered for too long. */
function isLate(alarm: Alarm | null, confirmation: ServiceConfirmation, now: number): boolean {
  const pending = pendingIn(confirmation)
  return (
    alarm?.until === 'confirmed' && pending.some((each) => now - each.decided_at >= CONFIRMING_DEADLINE_MS)
  )
}

/** Returns the alarm, unless it was about a decision that is no longer to be delivered. */
export function alarmUnlessDelivered({ alarm, confirmation }: Confirmable, now: number): Alarm | null {
  const isOver = confirmation === null || !isLate(alarm, confirmation, now)
  return alarm?.until === 'confirmed' && isOver ? null : alarm
}

/** Returns the decisions that the gateway has not answered, unless it contradicts itself about the money. */
export function undeliveredIn(record: Confirmable): PendingConfirmation[] {
  const { confirmation } = record
  return confirmation === null || isInDoubt(record) ? [] : pendingIn(confirmation)
}

/** Returns the decision that is to be sent next; `null` if there is none. */
export function decisionOf(record: Confirmable): Sendable | null {
  return record.confirmation && sendableIn({ ...record.confirmation, payments: undeliveredIn(record) })
}

function answered<Record extends Confirmable>(
  record: Record,
  confirmation: ServiceConfirmation,
  answer: GatewayAnswer,
  now: number,
): TransitionResult<Record> {
  const { decision } = answer
  const asked = confirmation.payments.find((each) => isSendOf(each, decision))
  if (!asked) {
    return pendingIn(confirmation).length === 0
      ? unchanged(record)
      : changed(record, 'The response of the gateway to an earlier decision does not count.')
  }

  // What the gateway takes counts, also if the decision was withdrawn meanwhile. What it refuses was not taken by this
  // send, and may have been by another one.
  const rest = withoutOneSend(asked)
  const isRefusal = rest.stage === 'decided' && rest.unanswered === 0
  if (answer.stage === 'refused' && !isRefusal) {
    return withSends(record, confirmation, decision, withoutOneSend)
  }

  const given = answer.stage === 'refused' ? { ...answer, unanswered: 0, is_resolved: false } : answer
  const payments = confirmation.payments.map((each) => (each === asked ? given : each))
  const next = { ...record, confirmation: { ...confirmation, payments } }
  const sentence = answer.stage === 'refused' ? answer.message : `The gateway accepted ${decision.status}.`
  return changed({ ...next, alarm: alarmUnlessDelivered(next, now) }, sentence)
}

/**
 * Returns the open payments that an accepted event tells of: the first, and as many as its sum covers, in the order in
 * which the server heard of them; all of them if its sum is all that was ever held and still is.
 *
 * @param received What the event says is paid.
 */
function acceptedIn(
  { payments }: ServiceConfirmation,
  reported: ReportedState | null,
  received: string,
): PaymentConfirmation[] {
  if (reported === null) {
    return []
  }

  const isAnyBack = payments.some((each) => isBack(reported, paymentOf(each)))
  const isAboutAll = !isAnyBack && compare(received, moneyOf(reported).received) === 0
  let paid = '0'
  const told = payments.filter((each, place) => {
    paid = add(paid, amountOf(each, reported))
    // The gateway may have corrected its amount since.
    const isFirst = place === 0
    return isFirst || isAboutAll || compare(paid, received) <= 0
  })
  return told.filter((each) => each.stage === 'open' && each.by === 'event')
}

/** Why a decision is no longer sent. It may have been sent, and its answer lost. */
const WITHDRAWN =
  'A person resolved it before an answer to the decision arrived. The decision is no longer sent.'

/**
 * Returns the service confirmation after a person has resolved the pay-in, which confirms no service: a decision that the
 * gateway has not answered would be sent again, and move money. Which decision it was is kept. What was refused or ended
 * until then calls nobody again.
 */
export function withdrawn(confirmation: ServiceConfirmation | null): ServiceConfirmation | null {
  if (confirmation === null) {
    return null
  }

  const payments = confirmation.payments.map((each): PaymentConfirmation => {
    switch (each.stage) {
      case 'open':
        return { ...each, by: 'api' }
      case 'decided':
        return { ...ended(each, WITHDRAWN), is_resolved: true }
      case 'refused':
        return { ...each, is_resolved: true }
      case 'confirmed':
        return each
    }
  })
  return { accepted: null, payments }
}

/** Returns the confirmation of a payment whose decision is no longer sent. The gateway may have taken it. */
export function ended({ decision, unanswered }: PendingConfirmation, message: string): RefusedConfirmation {
  return { stage: 'refused', decision, message, unanswered, is_resolved: false }
}

/** Returns the decision with which the merchant has refused the service; `null` if there is none, or another one. */
export function refusalIn({ payments }: ServiceConfirmation): MerchantDecision | null {
  // What a person's resolution has withdrawn is no refusal any more.
  const decided = payments.filter((each) => each.stage !== 'refused' || each.message !== WITHDRAWN)
  const decisions = decided.flatMap((each) => (each.stage === 'open' ? [] : [each.decision]))
  const last = decisions.at(-1)
  const isRefused = last !== undefined && decisions.every(({ status }) => status === 'FAILED')
  return isRefused ? { status: last.status, narration: last.narration } : null
}

/** Returns whether the merchant has said FAILED about the service, whatever the gateway answered. */
export function isServiceRefused(confirmation: ServiceConfirmation | null): boolean {
  return confirmation !== null && refusalIn(confirmation) !== null
}
