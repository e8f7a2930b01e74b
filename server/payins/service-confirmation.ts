/**
 * Stores and sends the merchant's decision about a paid charge, or a paid checkout with splits: whether the paid
 * service was provided (SUCCESSFUL or FAILED). The gateway then distributes the money or refunds the payer. [spec:
 * Service processing confirmation, Split settlement flow]
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

import { refuse } from '../api/refusal.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { CONFIRMING_DEADLINE_MS, HOUR, SECOND } from '../transactions/schedule.ts'
import {
  changed,
  hasEnded,
  hasSucceeded,
  isContradicted,
  LATE,
  unchanged,
} from '../transactions/transition.ts'
import { EXPIRY_GRACE_MS, isReceived, LONGEST_IN_FLIGHT_MS, moneyOf, paymentsOf } from './outcome.ts'

import type { TrackedFulfilment } from '../api/charge.ts'
import type { EventType } from '../api/kinds.ts'
import type { Refusal } from '../api/refusal.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { MerchantAccount, Store, StoredEvent, Transaction } from '../store/store.ts'
import type { Decision, ServiceConfirmation } from '../transactions/kind.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Alarm, TransitionResult } from '../transactions/transition.ts'
import type { Payment, ReportedState } from './outcome.ts'

export type MerchantDecision = Pick<Decision, 'status' | 'narration'>
type GatewayAnswer = Extract<ServiceConfirmation, { stage: 'confirmed' | 'refused' }>

/** The observation of a pay-in that concerns its service confirmation. */
export type Confirming =
  | { kind: 'decided'; decision: MerchantDecision }
  /** The merchant's backend accepted the event about the payment, without a decision. */
  | { kind: 'accepted' }
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
type Reported = Pick<Confirmable, 'confirmation' | 'reported'>

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
      const payment_id = answer.stage === 'confirmed' ? heldAfter(reported, answer.decision) : null
      const next =
        payment_id === null ? answer : { ...confirmation, decision: { ...answer.decision, payment_id } }
      return changed({ ...record, confirmation: next, alarm }, sentence)
    }
  }
}

/**
 * Returns the progress of an acknowledged pay-in. The progress determines the time of the next status query.
 *
 * @param expires_at When the session ends, in milliseconds since the Unix epoch. After this time, the same status can
 * mean another outcome. A status query is therefore due at this time, after the grace period, and when no payment is in
 * flight any more.
 */
export function payInProgress(
  {
    confirmation,
    reported,
    settled_at,
    resolution,
  }: Reported & { settled_at: number | null; resolution: Resolution | null },
  { created_at, updated_at }: Pick<Transaction, 'created_at' | 'updated_at'>,
  expires_at: number,
): Progress {
  if (confirmation?.stage === 'decided') {
    return { stage: 'confirming', since: confirmation.decided_at }
  }
  if (resolution !== null) {
    return { stage: 'settled', at: resolution.at }
  }
  if (settled_at === null) {
    const deadlines = [0, EXPIRY_GRACE_MS, LONGEST_IN_FLIGHT_MS].map((ms) => expires_at + ms + SECOND)
    return { stage: 'open', since: created_at, deadlines }
  }
  // The gateway's acceptance of FAILED, which requests the refund, sets `updated_at`. A later change of the record,
  // which is a new report of the gateway, makes the pauses short again, and moves the last deadline.
  if (isRefundDue({ confirmation, reported })) {
    return { stage: 'open', since: updated_at }
  }
  return { stage: 'settled', at: settled_at }
}

/** Why a decision is no longer sent. It may have been sent, and its answer lost. */
const MONEY_GONE =
  'The money went back before an answer to the decision arrived. The decision is no longer sent.'
const WITHDRAWN =
  'A person resolved it before an answer to the decision arrived. The decision is no longer sent.'

/** The service confirmation if no event from before says anything about the held money. */
const ONLY_BY_API: ServiceConfirmation = { stage: 'open', acceptance: 'outdated' }

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

/** Returns the id of the first held payment of these; `null` if the gateway names none. */
function heldFrom(payments: Payment[]): string | null {
  const held = paymentsOf({ payments }, 'successful').find(({ payment_id }) => payment_id !== null)
  return held?.payment_id ?? null
}

/** Returns the payments of a report from the one that a decision names on; all of them if it is not in the report. */
function paymentsFrom({ payments }: ReportedState, { payment_id }: Decision): Payment[] {
  const place = payments.findIndex((each) => payment_id !== null && each.payment_id === payment_id)
  return payments.slice(Math.max(place, 0))
}

/**
 * Returns the id of the first held payment after the one about which the gateway has taken a decision; `null` if there is
 * none. [assumed] A payment that is no longer listed by this id has got another one.
 */
function heldAfter(reported: ReportedState | null, decision: Decision): string | null {
  const [named, ...later] = reported === null ? [] : paymentsFrom(reported, decision)
  const isNamed = named !== undefined && named.payment_id === decision.payment_id
  return isNamed ? heldFrom(later.filter(({ payment_id }) => payment_id !== decision.payment_id)) : null
}

/**
 * Returns the id of the first payment about which the merchant decides now; `null` if the gateway names none. The payments
 * before one that the gateway refused to confirm are confirmed.
 */
function undecidedIn(confirmation: ServiceConfirmation, reported: ReportedState): string | null {
  switch (confirmation.stage) {
    case 'open':
      return heldFrom(reported.payments)
    case 'refused':
      return heldFrom(paymentsFrom(reported, confirmation.decision))
    case 'decided':
    case 'confirmed':
      return heldAfter(reported, confirmation.decision)
  }
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
  'The payment whose service was confirmed went back, and another one is held, about which nobody has decided.'

/** Returns whether a payment went back whose service was confirmed, and a later one is held. */
function isReplaced(confirmation: ServiceConfirmation, reported: ReportedState): boolean {
  if (confirmation.stage !== 'confirmed' || !isUndecided(confirmation, reported)) {
    return false
  }

  const { payment_id } = confirmation.decision
  return paymentsOf(reported, 'reversed', 'refunded').some((each) => each.payment_id === payment_id)
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
  if (!isPaid || isServed) {
    return null
  }
  if (hasEnded(told)) {
    return LATE.succeeded
  }
  return isServiceRefused(confirmation) && !hasSucceeded(told) ? UNWANTED : null
}

/** Returns whether the gateway accepted the decision FAILED but has not reported the refund of the payer yet. */
export function isRefundDue({ confirmation, reported }: Reported): boolean {
  return confirmation?.stage === 'confirmed' && confirmation.decision.status === 'FAILED' && isHeld(reported)
}

/**
 * Sends the merchant's decision to the gateway. Resolves with the observation of the gateway's response. What may be a
 * phone number or an e-mail address in its text is not stored: the payer's details, by which to find them, are deleted.
 *
 * @throws {GatewayError} if there is no usable response, or the gateway has not named the payment yet.
 */
export async function sendDecision(
  { trace_id: traceId }: Pick<Transaction, 'trace_id'>,
  decision: Decision,
  { client }: { client: Pick<GatewayClient, 'confirmService'> },
): Promise<Confirming> {
  const answered = (answer: GatewayAnswer) => ({ kind: 'answered', answer }) as const
  const { payment_id } = decision
  // Counts as a failed confirmation, which is repeated: the gateway may name the payment meanwhile.
  if (payment_id === null) {
    throw new GatewayError('gateway_contradiction', 'The gateway has named no payment to confirm.')
  }

  try {
    const { message } = await client.confirmService({ ...decision, payment_id }, { traceId })
    return answered({ stage: 'confirmed', decision, message: maskedBeginning(message ?? '') })
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) {
      throw error
    }
    const message = maskedBeginning(`${error.message} ${error.refusal.message}`) ?? error.code
    return answered({ stage: 'refused', decision, message })
  }
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

/**
 * Returns whether the merchant may decide about held money: for the first time, after a refusal by the gateway, or about
 * what was paid after SUCCESSFUL.
 */
function isUndecided(confirmation: ServiceConfirmation, reported: ReportedState): boolean {
  if (confirmation.stage !== 'confirmed') {
    return !isDecided(confirmation)
  }
  return confirmation.decision.status === 'SUCCESSFUL' && heldAfter(reported, confirmation.decision) !== null
}

function isDecided(
  confirmation: ServiceConfirmation,
): confirmation is Extract<ServiceConfirmation, { stage: 'decided' | 'confirmed' }> {
  return confirmation.stage === 'decided' || confirmation.stage === 'confirmed'
}

function isOutdated(confirmation: ServiceConfirmation): boolean {
  return confirmation.stage === 'open' && confirmation.acceptance === 'outdated'
}

/**
 * Returns whether the gateway holds the payer's money. Only then can the merchant decide. [assumed] A partial payment
 * counts too: the gateway refunds the payment, or distributes the money if the amount covers the splits.
 */
export function isHeld(reported: ReportedState | null): reported is ReportedState {
  const money = moneyOf(reported)
  return isReceived(money) && !money.returned
}

const UNKNOWN = refuse('unknown_charge', 'No charge, and no checkout with splits, has this reference.')
const NOT_PAID = refuse(
  'charge_not_paid',
  'There is no money to confirm: nothing is paid, or the money was reversed or refunded.',
)

interface DecisionDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  kinds: Kinds
}

/**
 * Stores a merchant's decision and sends the decision to the gateway. Resolves with the service confirmation, or with a
 * refusal.
 *
 * @param reference The external_reference of a charge, or the merchant_transaction_id of a checkout with splits.
 */
export async function takeDecision(
  deps: DecisionDeps,
  reference: string,
  decision: MerchantDecision,
): Promise<{ kind: 'decided'; confirmation: ServiceConfirmation } | Refusal> {
  const { store, account, synchronizer, kinds } = deps
  // The server makes the references of checkouts, so none is also that of a charge: the order has no meaning.
  const row =
    (await store.findByReference(account, 'charge', reference)) ??
    (await store.findByReference(account, 'checkout', reference))
  if (!row || !confirmationOf(kinds, row)) {
    return UNKNOWN
  }

  // As if a page showed the pay-in: a repeated request makes a query only if the last one is no longer recent.
  await synchronizer.synchronizeWithin(row.id, 'poll')
  const decided = await apply(deps, row, { kind: 'decided', decision })
  const stored = decided && confirmationOf(kinds, decided)
  if (!stored) {
    return UNKNOWN
  }
  if (!isDecided(stored)) {
    return NOT_PAID
  }

  const { status } = stored.decision
  const detail = `The payment was acknowledged as ${status} before. This counts, unless the gateway refuses it.`
  if (status !== decision.status) {
    return refuse('acknowledged_otherwise', detail)
  }

  // A stored decision is due at once, or after the pause that follows a failure.
  const sent = await synchronizer.synchronizeWithin(row.id, 'due')
  return { kind: 'decided', confirmation: (sent && confirmationOf(kinds, sent)) ?? stored }
}

/**
 * The types of the events whose acceptance by the merchant's backend means the decision SUCCESSFUL.
 * `checkout.paid_late` is not in the list, because a person decides about a late payment.
 */
const CONFIRMING_EVENTS: readonly string[] = ['charge.succeeded', 'checkout.paid'] satisfies EventType[]

/**
 * Stores the decision SUCCESSFUL when the merchant's backend accepts the event about a payment. The decision is stored
 * before the event counts as delivered. Ignores other events, and payments that already have a decision. Also stores
 * nothing if the payment no longer counts as paid as requested, because the event may have waited for days.
 *
 * @throws {GatewayError} if the store was recovered since the event, and the gateway cannot be asked what the store has lost. The
 * event is then delivered again.
 */
export async function takeDecisionOnDelivery(
  deps: DecisionDeps,
  { transaction_id, type, created_at }: StoredEvent,
): Promise<void> {
  if (!CONFIRMING_EVENTS.includes(type)) {
    return
  }

  const row = await deps.store.find(transaction_id)
  const stage = row && confirmationOf(deps.kinds, row)?.stage
  if (!row || (stage !== 'open' && stage !== 'confirmed')) {
    return
  }

  const { recovered } = await deps.store.marks()
  if (recovered !== null && created_at < recovered && !isAskedSince(row, recovered)) {
    const asked = await deps.synchronizer.synchronizeWithin(row.id, 'requested')
    if (!asked || !isAskedSince(asked, recovered)) {
      const message = 'The gateway has to be asked first what became of the payment since the backup.'
      throw new GatewayError('gateway_unavailable', message)
    }
  }

  await apply(deps, row, { kind: 'accepted' })
}

/** Returns whether the gateway has answered a status query since the store was recovered. */
function isAskedSince({ asked_at, failures }: Transaction, recovered: number): boolean {
  return asked_at !== null && asked_at >= recovered && failures === 0
}

function apply({ synchronizer, kinds }: DecisionDeps, row: Transaction, observation: Confirming) {
  return synchronizer.applyDecision(kinds.of(row.kind), row.id, observation)
}

/** Returns the service confirmation of a transaction; `null` if the transaction needs none. */
function confirmationOf(kinds: Kinds, row: Transaction): ServiceConfirmation | null {
  const kind = kinds.of(row.kind)
  return kind.confirmationOf?.(kind.read(row)) ?? null
}
