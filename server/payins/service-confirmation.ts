/**
 * The merchant's decisions about a paid charge, or a paid checkout with splits: whether the paid service was provided
 * (SUCCESSFUL or FAILED). The gateway then distributes the money or refunds the payer. Pure. [spec: Service processing
 * confirmation, Split settlement flow]
 *
 * Each confirmation names one payment, so each payment has its own: what the merchant decided about it, and what the
 * gateway answered. A decision is about the payments that are held when it is made and have none yet. It is stored, and
 * sent repeatedly until the gateway responds. [assumed] A decision that is sent twice has no second effect. The first
 * decision about a payment is final, unless the gateway refuses it: then the merchant may decide again. A decision stays
 * with its payment. One about a payment whose id the gateway has not reported waits for the id; if a report does not show
 * which payment it was about, it ends, and a person is told.
 *
 * If the merchant's backend accepts the event about a payment before any decision about it was sent to the API, the
 * decision is SUCCESSFUL. To refuse service, the backend must therefore send FAILED before it accepts the event. FAILED is
 * also sent about what is paid later. About what is paid after SUCCESSFUL, the merchant decides anew.
 */

import { add, compare, larger, sum } from '../contract/decimal.ts'
import { pendingIn } from '../transactions/kind.ts'
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
  amountOf,
  heldIn,
  holdsUnnamed,
  isAboutHeld,
  isBack,
  isHeld,
  isNamed,
  isReturnListed,
  isSameId,
  paymentOf,
  unnamedIn,
} from './held-payments.ts'
import { moneyOf } from './reported-money.ts'

import type { TrackedFulfilment } from '../api/charge.ts'
import type { Decision, PaymentConfirmation, ServiceConfirmation } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Alarm, TransitionResult } from '../transactions/transition.ts'
import type { ReportedState } from './reported-state.ts'

export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

export type GatewayAnswer = Extract<PaymentConfirmation, { stage: 'confirmed' | 'refused' }>

/** The observation of a pay-in that concerns its service confirmation. */
export type Confirming =
  | { kind: 'decided'; decision: MerchantDecision }
  /**
   * The merchant's backend accepted the event about the payment, without a decision. `received` is what the event says is
   * paid: decimal text in major units.
   */
  | { kind: 'accepted'; received: string }
  /** The decision is sent now, or certainly has not reached the gateway: `sent_at` is what it was before. */
  | { kind: 'sending'; decision: Decision; sent_at: number | null }
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
      const isDecidable = (each: PaymentConfirmation) => each.stage === 'open' || each.stage === 'refused'
      const held = confirmation.payments.filter((each) => isDecidable(each) && isAboutHeld(each, reported))
      return held.length === 0
        ? unchanged(record)
        : decide(record, { ...confirmation, accepted: null }, held, observation.decision, now)
    }
    case 'sending': {
      const { decision, sent_at } = observation
      const payments = confirmation.payments.map((each) =>
        each.stage === 'decided' && isSameDecision(each.decision, decision) ? { ...each, sent_at } : each,
      )
      return { record: { ...record, confirmation: { ...confirmation, payments } }, historyEntry: null }
    }
    case 'answered':
      return answered(record, confirmation, observation.answer)
  }
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
    return about.includes(each)
      ? ({ stage: 'decided', decision, decided_at: now, sent_at: null } as const)
      : each
  })
  // No alarm is lost: `SERVED` is only stored if there is none (`isPaid`), and a decision through the API says what
  // becomes of the held money, which is what a person would have to decide. A contradiction raises an alarm again,
  // unless a person has resolved it.
  const isResolved = record.resolution !== null && isContradicted(record.alarm)
  const alarm = isResolved ? record.alarm : null
  const decided = { ...record, confirmation: { ...confirmation, payments }, alarm }
  return changed(decided, `The merchant says ${status}: ${narration}`)
}

function answered<Record extends Confirmable>(
  record: Record,
  confirmation: ServiceConfirmation,
  answer: GatewayAnswer,
): TransitionResult<Record> {
  const isAsked = (each: PaymentConfirmation) => {
    // What the gateway takes counts, also if the decision was withdrawn meanwhile.
    const isOpen = each.stage === 'decided' || (each.stage === 'refused' && answer.stage === 'confirmed')
    return isOpen && isSameDecision(each.decision, answer.decision)
  }

  const asked = confirmation.payments.find(isAsked)
  if (!asked) {
    return pendingIn(confirmation) === null
      ? unchanged(record)
      : changed(record, 'The response of the gateway to an earlier decision does not count.')
  }

  const payments = confirmation.payments.map((each) => (each === asked ? answer : each))
  const sentence =
    answer.stage === 'refused' ? answer.message : `The gateway accepted ${answer.decision.status}.`
  // The decision has been delivered.
  const alarm = record.alarm?.until === 'confirmed' ? null : record.alarm
  return changed({ ...record, confirmation: { ...confirmation, payments }, alarm }, sentence)
}

function isSameDecision(one: Decision, other: Decision): boolean {
  return (
    one.status === other.status && one.narration === other.narration && one.payment_id === other.payment_id
  )
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
const MONEY_GONE =
  'The money went back before an answer to the decision arrived. The decision is no longer sent.'

const WITHDRAWN =
  'A person resolved it before an answer to the decision arrived. The decision is no longer sent.'

/**
 * Returns the service confirmation after a person has resolved the pay-in, which confirms no service: a decision that the
 * gateway has not answered would be sent with the next query, and move money. Which decision it was is kept.
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
        return { stage: 'refused', decision: each.decision, message: WITHDRAWN }
      case 'confirmed':
      case 'refused':
        return each
    }
  })
  return { accepted: null, payments }
}

/** Why a decision about a payment without an id is no longer sent. */
const UNCLEAR =
  'The gateway reports other money since, and not which of it the decision is about. The decision is no longer sent.'

/**
 * Returns the service confirmation after a report. A payment that is heard of for the first time is open, or FAILED if the
 * merchant has refused the service and no person has resolved the pay-in. A decision is about held money: once its
 * payment went back, it is no longer sent.
 */
export function confirmationAfter(
  {
    confirmation,
    reported: before,
    resolution,
    told,
  }: Reported & { resolution: Resolution | null; told: readonly string[] },
  reported: ReportedState,
  now: number,
): ServiceConfirmation | null {
  if (confirmation === null) {
    return null
  }

  const kept = confirmation.payments.map((each) => {
    const isGone = !isHeld(reported) || isBack(reported, paymentOf(each))
    return each.stage === 'decided' && isGone
      ? ({ stage: 'refused', decision: each.decision, message: MONEY_GONE } as const)
      : each
  })
  const isClear = !isHeld(reported) || isNamelessKept(kept, before, reported)
  const known = isClear ? named(kept, reported) : kept.flatMap((each) => withoutNameless(each))

  const wasReturned = moneyOf(before).returned
  const refusal = resolution === null ? refusalIn(confirmation) : null
  const byReport = !isClear && hasSucceeded(told) ? 'person' : 'event'
  const by = wasReturned || resolution !== null ? 'api' : byReport
  const added = newIn(reported, known, wasReturned).map((payment_id): PaymentConfirmation =>
    refusal
      ? { stage: 'decided', decision: { ...refusal, payment_id }, decided_at: now, sent_at: null }
      : { stage: 'open', payment_id, by },
  )
  return { ...confirmation, payments: [...known, ...added] }
}

/** Returns whether a service confirmation is about money without an id, and was not ended. */
function isNameless(confirmation: PaymentConfirmation): boolean {
  const { stage } = confirmation
  return paymentOf(confirmation) === null && (stage === 'open' || stage === 'decided')
}

/**
 * Returns whether what had no id still is the same money: what has a new id now, and what still has none, are together
 * as much. [assumed] If anything went back, or more was paid, new ids may be of other payments.
 */
function isNamelessKept(
  payments: readonly PaymentConfirmation[],
  before: ReportedState | null,
  reported: ReportedState,
): boolean {
  if (before === null || !payments.some(isNameless)) {
    return true
  }

  const names = unknownIn(reported, payments)
  const paid = names.map((payment_id) => amountOf({ stage: 'open', payment_id, by: 'event' }, reported))
  const isSame = compare(unnamedIn(before), add(sum(paid), unnamedIn(reported))) === 0
  return isSame && (names.length === 0 || !isReturnListed(reported))
}

/** Returns the confirmations of the same money under the ids that it has now. */
function named(payments: readonly PaymentConfirmation[], reported: ReportedState): PaymentConfirmation[] {
  const names = unknownIn(reported, payments)
  const isAllNamed = names.length > 0 && compare(unnamedIn(reported), '0') === 0
  return payments.flatMap((each) => {
    if (!isNameless(each)) {
      return [each]
    }

    const withNames = names.map((name) => withName(each, name))
    return isAllNamed ? withNames : [...withNames, each]
  })
}

/** Returns a confirmation once the report does not show what it was about, if it was about money without an id. */
function withoutNameless(confirmation: PaymentConfirmation): PaymentConfirmation[] {
  if (!isNameless(confirmation)) {
    return [confirmation]
  }
  return confirmation.stage === 'decided'
    ? [{ stage: 'refused', decision: confirmation.decision, message: UNCLEAR }]
    : []
}

function withName(confirmation: PaymentConfirmation, payment_id: string): PaymentConfirmation {
  if (confirmation.stage === 'open') {
    return { ...confirmation, payment_id }
  }
  return { ...confirmation, decision: { ...confirmation.decision, payment_id } }
}

/** Returns the ids of the held payments that are not known yet. */
function unknownIn(reported: ReportedState, known: readonly PaymentConfirmation[]): string[] {
  return heldIn(reported).filter((id) => !known.some((each) => isSameId(paymentOf(each), id)))
}

/** Returns the ids of the held payments that are not known yet; `null` is one that the gateway does not name. */
function newIn(
  reported: ReportedState,
  known: readonly PaymentConfirmation[],
  wasReturned: boolean,
): (string | null)[] {
  const unknown = unknownIn(reported, known)
  if (!holdsUnnamed(reported)) {
    return unknown
  }

  // A payment whose name the report leaves out is no other one, unless all money went back since.
  const isExplained = known.some((each) => {
    const id = paymentOf(each)
    return id === null || (!wasReturned && !isNamed(reported, id))
  })
  return isExplained ? unknown : [...unknown, null]
}

/** Returns the decision with which the merchant has refused the service; `null` if there is none, or another one. */
function refusalIn({ payments }: ServiceConfirmation): MerchantDecision | null {
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

/**
 * Returns whether held money waits for the merchant's decision about the service, or for the gateway to take it, also if
 * a person has resolved the pay-in as paid.
 */
export function awaitsService({
  confirmation,
  reported,
  resolution,
}: Reported & { resolution: Resolution | null }): boolean {
  const isUnserved = heldAmong(confirmation, reported).some(({ stage }) => stage !== 'confirmed')
  return isUnserved && (resolution === null || resolution.says === 'paid')
}

/** Returns whether a decision stands: the gateway has taken it, or it is sent until the gateway answers. */
export function isStanding(
  each: PaymentConfirmation,
): each is Extract<PaymentConfirmation, { stage: 'decided' | 'confirmed' }> {
  return each.stage === 'decided' || each.stage === 'confirmed'
}

/** Returns the confirmations about payments that the gateway holds. */
function heldAmong(
  confirmation: ServiceConfirmation | null,
  reported: ReportedState | null,
): PaymentConfirmation[] {
  return confirmation?.payments.filter((each) => isAboutHeld(each, reported)) ?? []
}

/** Why money waits for a person of which an event may not have told. */
const REPLACED =
  'A payment of which you were told went back or is listed no more, and another one is held, about which nobody has decided.'

/**
 * Returns whether a payment is held, about which nobody has decided, and one that was heard of before it no longer is, or
 * may be this one.
 */
function isReplaced({ payments }: ServiceConfirmation, reported: ReportedState): boolean {
  const firstGone = payments.findIndex((each) => !isAboutHeld(each, reported))
  return payments.some((each, place) => {
    if (each.stage !== 'open' || !isAboutHeld(each, reported)) {
      return false
    }

    const isAfterGone = firstGone !== -1 && place > firstGone
    return each.by === 'person' || (each.by === 'event' && isAfterGone)
  })
}

/** Why money that was paid after FAILED waits for a person. */
const UNWANTED = 'The merchant has refused the service, and it was paid in full all the same.'

/**
 * Returns why held money waits for a person, as a sentence: the decision about the service was refused or ended, the
 * payment may have replaced another one, or it came after the merchant was told of an end or has refused the service, and
 * may be of no use any more. `null` if it waits for nobody.
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

  const held = heldAmong(confirmation, reported)
  const refused = held.find((each) => each.stage === 'refused')
  if (refused) {
    return refused.message
  }
  if (isReplaced(confirmation, reported)) {
    return REPLACED
  }

  const isServed = held.every((each) => each.stage !== 'open' && each.decision.status === 'SUCCESSFUL')
  if (!isPaid || (held.length > 0 && isServed)) {
    return null
  }
  if (hasEnded(told)) {
    return LATE.succeeded
  }
  return isServiceRefused(confirmation) && !hasSucceeded(told) ? UNWANTED : null
}

/** Returns whether the gateway accepted a decision FAILED but has not reported the refund of the payer yet. */
export function isRefundDue({ confirmation, reported }: Reported): boolean {
  return heldAmong(confirmation, reported).some(
    (each) => each.stage === 'confirmed' && each.decision.status === 'FAILED',
  )
}

/**
 * Converts a service confirmation to the field `fulfilment` in the API's responses: the decision that is being sent, or
 * else one that was refused, of those about held money if there is any, or else the last one.
 */
export function trackedFulfilmentOf(
  confirmation: ServiceConfirmation,
  reported: ReportedState | null,
): TrackedFulfilment {
  const held = heldAmong(confirmation, reported)
  const refused = (held.length > 0 ? held : confirmation.payments).find((each) => each.stage === 'refused')
  const last = confirmation.payments.findLast((each) => each.stage !== 'open')
  const shown = pendingIn(confirmation) ?? refused ?? last
  if (shown === undefined) {
    return { stage: 'open', status: null, narration: null, payment_id: null, message: null }
  }

  const message = 'message' in shown ? shown.message : null
  return { stage: shown.stage, ...shown.decision, message }
}
