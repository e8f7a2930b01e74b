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
 * is SUCCESSFUL. To refuse service, the backend must therefore send FAILED before it accepts the event.
 *
 * FAILED is about all the held money, and each confirmation names one payment: when the named payment has gone back, and
 * another is still held, the decision is sent about that one.
 */

import { refuse } from '../api/refusal.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { CONFIRMING_DEADLINE_MS, HOUR, SECOND } from '../transactions/schedule.ts'
import { changed, hasEnded, LATE, unchanged } from '../transactions/transition.ts'
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
import type { ReportedState } from './outcome.ts'

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
      if (confirmation.stage !== 'open') {
        return unchanged(record)
      }
      if (isPaid) {
        return transitionConfirmation(record, { kind: 'decided', decision: SERVED }, isPaid, now)
      }
      if (confirmation.is_accepted) {
        return unchanged(record)
      }
      return changed({ ...record, confirmation: { ...confirmation, is_accepted: true } }, NOT_PAID_NOW)
    case 'decided': {
      if (!isUndecided(confirmation) || !isHeld(reported)) {
        return unchanged(record)
      }

      const { status, narration } = observation.decision
      const decision = { status, narration, payment_id: confirmedIn(reported) }
      const decided = { stage: 'decided', decision, decided_at: now } as const
      // No alarm is lost: `SERVED` is only stored if there is none (`isPaid`), and a decision through the API says what
      // becomes of the held money, which is what a person would have to decide. A contradiction raises an alarm again.
      const next = { ...record, confirmation: decided, alarm: null }
      return changed(next, `The merchant says ${status}: ${narration}`)
    }
    case 'answered': {
      if (confirmation.stage !== 'decided') {
        return unchanged(record)
      }

      const { answer } = observation
      if (JSON.stringify(answer.decision) !== JSON.stringify(confirmation.decision)) {
        return changed(record, 'The response of the gateway to an earlier decision does not count.')
      }

      const sentence =
        answer.stage === 'refused' ? answer.message : `The gateway accepted ${answer.decision.status}.`
      // The decision has been delivered.
      const alarm = record.alarm?.until === 'confirmed' ? null : record.alarm
      return changed({ ...record, confirmation: answer, alarm }, sentence)
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

/** The decision may have been sent, and its answer lost. */
const MONEY_GONE =
  'The money went back before an answer to the decision arrived. The decision is no longer sent.'

/**
 * Returns the service confirmation after a report. A decision is about held money: without any, it is no longer sent, and
 * money that comes after it went back is not decided. If the gateway had not named the payment when the merchant
 * decided, the decision is about the one that it names now. FAILED is sent about the next held payment once the one
 * before has gone back, unless a person has resolved the pay-in.
 */
export function confirmationAfter(
  { confirmation, reported: before, resolution }: Reported & { resolution: Resolution | null },
  reported: ReportedState,
  now: number,
): ServiceConfirmation | null {
  if (confirmation !== null && moneyOf(before).returned && isHeld(reported)) {
    return UNDECIDED
  }
  if (confirmation?.stage === 'confirmed' && resolution === null && isRefundDue({ confirmation, reported })) {
    const { decision } = confirmation
    const isBack = paymentsOf(reported, 'reversed', 'refunded').some(
      ({ payment_id }) => payment_id !== null && payment_id === decision.payment_id,
    )
    const payment_id = confirmedIn(reported)
    const isNext = isBack && payment_id !== null && payment_id !== decision.payment_id
    return isNext
      ? { stage: 'decided', decision: { ...decision, payment_id }, decided_at: now }
      : confirmation
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
  return { ...confirmation, decision: { ...decision, payment_id: confirmedIn(reported) } }
}

/**
 * Returns the id of the payment to which a service confirmation refers; `null` if the gateway names none. [assumed] Of
 * several successful payments, it is the last.
 */
function confirmedIn(reported: ReportedState): string | null {
  return paymentsOf(reported, 'successful').at(-1)?.payment_id ?? null
}

/** Returns whether a service waits for the merchant's decision, or for the gateway to take it. */
export function isUnserved(confirmation: ServiceConfirmation | null): boolean {
  return confirmation !== null && confirmation.stage !== 'confirmed'
}

/**
 * Returns why held money waits for a person, as a sentence: the gateway refused the decision about the service, or the
 * payment came after the merchant was told of an end, and may be of no use any more. `null` if it waits for nobody.
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

  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  return isPaid && hasEnded(told) && !isServed ? LATE.succeeded : null
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
 * Returns whether the merchant may decide, if the money is held: for the first time, or after a refusal by the gateway.
 */
function isUndecided(
  stored: ServiceConfirmation,
): stored is Extract<ServiceConfirmation, { stage: 'open' | 'refused' }> {
  return stored.stage === 'open' || stored.stage === 'refused'
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
  if (isUndecided(stored)) {
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
 */
export async function takeDecisionOnDelivery(
  deps: DecisionDeps,
  { transaction_id, type }: StoredEvent,
): Promise<void> {
  if (!CONFIRMING_EVENTS.includes(type)) {
    return
  }

  const row = await deps.store.find(transaction_id)
  if (row && confirmationOf(deps.kinds, row)?.stage === 'open') {
    await apply(deps, row, { kind: 'accepted' })
  }
}

function apply({ synchronizer, kinds }: DecisionDeps, row: Transaction, observation: Confirming) {
  return synchronizer.applyDecision(kinds.of(row.kind), row.id, observation)
}

/** Returns the service confirmation of a transaction; `null` if the transaction needs none. */
function confirmationOf(kinds: Kinds, row: Transaction): ServiceConfirmation | null {
  const kind = kinds.of(row.kind)
  return kind.confirmationOf?.(kind.read(row)) ?? null
}
