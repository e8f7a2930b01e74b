/**
 * Computes the state of service confirmations and sends the merchant's decision (SUCCESSFUL or FAILED) about a paid charge,
 * or about a paid checkout with splits: whether the paid service was provided. The gateway then distributes the money or
 * refunds the payer. [spec: Service processing confirmation, Split settlement flow]
 *
 * A decision is stored, and is then sent repeatedly until the gateway responds. [assumed] A decision that is sent twice
 * has no second effect. The first decision is final, unless the gateway refuses it: then the merchant may decide again.
 *
 * If the merchant's backend accepts the event about the payment before any decision was sent to the API, the decision is
 * SUCCESSFUL. To refuse service, the backend must therefore send FAILED before it accepts the event.
 */

import type { TrackedFulfilment } from '../api/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Decision, ServiceConfirmation, Kinds } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Transaction, MerchantAccount, Store, StoredEvent } from '../store/store.ts'
import type { EventType } from '../api/kinds.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { ReportedState } from './outcome.ts'
import { refuse } from '../api/refusal.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { isReceived, moneyOf, paymentsOf } from './outcome.ts'

export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

export type ConfirmationObservation =
  | { kind: 'decided'; decision: MerchantDecision }
  /** The merchant's backend accepted the event about the payment, without a decision. */
  | { kind: 'accepted' }
  /** The gateway accepted `decision`. */
  | { kind: 'confirmed'; decision: Decision; message: string | null }
  /** The gateway refused `decision`, or has not reported the payment's id. `why` is the reason, as a sentence. */
  | { kind: 'refused'; decision: Decision; why: string }

/** The observation of a pay-in that concerns its service confirmation. */
export interface Confirming {
  kind: 'confirmation'
  observation: ConfirmationObservation
}

const NOT_PAID_NOW =
  'The merchant accepted an event about the payment, which does not count as paid any more. Nothing is confirmed.'

/** The decision that is stored when the merchant's backend accepts the event about a payment. */
export const SERVED: MerchantDecision = {
  status: 'SUCCESSFUL',
  narration: 'The merchant was told of the payment and took it.',
}

/**
 * Returns the next state of a service confirmation, and a history entry; the entry is `null` if nothing changed. The
 * merchant can decide only while the gateway holds the payer's money. The merchant can replace a decision only after
 * the gateway has refused this decision.
 *
 * @param isPaid Whether the pay-in still counts as paid as requested. If not, the acceptance of an event confirms
 * nothing, because the event may be outdated.
 */
export function transitionConfirmation(
  confirmation: ServiceConfirmation,
  observation: ConfirmationObservation,
  reported: ReportedState | null,
  isPaid: boolean,
): { confirmation: ServiceConfirmation; historyEntry: string | null } {
  const { stage } = confirmation
  if (observation.kind === 'accepted') {
    if (stage !== 'open') return { confirmation, historyEntry: null }
    if (!isPaid) return { confirmation, historyEntry: NOT_PAID_NOW }
    return transitionConfirmation(confirmation, { kind: 'decided', decision: SERVED }, reported, isPaid)
  }
  if (observation.kind === 'decided') {
    const isUndecided = stage === 'open' || stage === 'refused'
    if (!isUndecided || !isHeld(reported)) return { confirmation, historyEntry: null }
    const { status, narration } = observation.decision
    // [assumed] If there are several successful payments, the service confirmation refers to the last of them.
    const payment_id = paymentsOf(reported, 'successful').at(-1)?.payment_id ?? null
    const decision = { status, narration, payment_id }
    return {
      confirmation: { stage: 'decided', decision },
      historyEntry: `The merchant says ${status}: ${narration}`,
    }
  }
  if (stage !== 'decided') return { confirmation, historyEntry: null }
  const { decision } = confirmation
  if (JSON.stringify(observation.decision) !== JSON.stringify(decision))
    return {
      confirmation,
      historyEntry: 'The gateway answered to an earlier decision, which does not count.',
    }
  if (observation.kind === 'refused') {
    const { why } = observation
    return { confirmation: { stage: 'refused', decision, why }, historyEntry: why }
  }
  return {
    confirmation: { stage: 'confirmed', decision, message: observation.message },
    historyEntry: `The gateway took ${decision.status}.`,
  }
}

interface PayInState {
  confirmation: ServiceConfirmation | null
  reported: ReportedState | null
  settled_at: number | null
}

/**
 * Returns the progress of an acknowledged pay-in. The progress determines the time of the next status query.
 *
 * @param deadlines Additional times at which the status of an unsettled pay-in is queried, in milliseconds since the
 * Unix epoch.
 */
export function payInProgress(
  { confirmation, reported, settled_at }: PayInState,
  { created_at, updated_at }: Pick<Transaction, 'created_at' | 'updated_at'>,
  deadlines: readonly number[] = [],
): Progress {
  if (isConfirming(confirmation)) return { stage: 'confirming' }
  if (settled_at === null) return { stage: 'open', since: created_at, deadlines }
  if (isRefundDue(confirmation, reported)) return { stage: 'open', since: updated_at }
  return { stage: 'settled', at: settled_at }
}

/** Returns whether the merchant's decision is stored but the gateway has not responded to the decision yet. */
export function isConfirming(confirmation: ServiceConfirmation | null): boolean {
  return confirmation?.stage === 'decided'
}

/** Returns whether the gateway accepted the decision FAILED but has not reported the refund of the payer yet. */
export function isRefundDue(
  confirmation: ServiceConfirmation | null,
  reported: ReportedState | null,
): boolean {
  return confirmation?.stage === 'confirmed' && confirmation.decision.status === 'FAILED' && isHeld(reported)
}

/**
 * Sends the merchant's decision to the gateway. Resolves with the observation of the gateway's response.
 *
 * @throws {GatewayError} if there is no usable response.
 */
export async function sendDecision(
  { trace_id: traceId }: Pick<Transaction, 'trace_id'>,
  decision: Decision,
  { client }: { client: Pick<GatewayClient, 'confirmService'> },
): Promise<Confirming> {
  const { payment_id, status, narration } = decision
  if (payment_id === null) return refused('The gateway named no payment to confirm.')
  try {
    const { message } = await client.confirmService({ payment_id, status, narration }, { traceId })
    return { kind: 'confirmation', observation: { kind: 'confirmed', decision, message } }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return refused(`${error.message} ${error.refusal.message}`.trim())
  }

  function refused(why: string): Confirming {
    return { kind: 'confirmation', observation: { kind: 'refused', decision, why } }
  }
}

/** Converts a service confirmation to the field `fulfilment` of a charge in the API's responses. */
export function trackedFulfilmentOf(confirmation: ServiceConfirmation): TrackedFulfilment {
  const { stage } = confirmation
  if (stage === 'open') return { stage, status: null, narration: null, payment_id: null, message: null }
  const message = stage === 'confirmed' ? confirmation.message : stage === 'refused' ? confirmation.why : null
  return { stage, ...confirmation.decision, message }
}

/**
 * Returns whether the gateway holds the payer's money. Only then can the merchant decide. [assumed] A partial payment
 * counts too: the gateway refunds the payment, or distributes the money if the amount covers the splits.
 */
function isHeld(reported: ReportedState | null): reported is ReportedState {
  const money = moneyOf(reported)
  return isReceived(money) && !money.returned
}

type ServiceConfirmed = { kind: 'decided'; confirmation: ServiceConfirmation } | Refusal

const UNKNOWN = refuse('unknown_charge', 'No charge, and no checkout with splits, has this reference.')
const NOT_PAID = refuse(
  'charge_not_paid',
  'There is no money to confirm: the charge is not paid, or was reversed or refunded.',
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
): Promise<ServiceConfirmed> {
  const { store, account, synchronizer, kinds } = deps
  const row =
    (await store.findByReference(account, 'charge', reference)) ??
    (await store.findByReference(account, 'checkout', reference))
  if (!row || !confirmationOf(kinds, row)) return UNKNOWN
  await synchronizer.synchronizeWithin(row.id, 'poll')
  await apply(deps, row, { kind: 'decided', decision })
  const now = await synchronizer.synchronizeWithin(row.id, 'due')
  const confirmation = now && confirmationOf(kinds, now)
  return confirmation ? resultOf(confirmation, decision) : UNKNOWN
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
  if (!CONFIRMING_EVENTS.includes(type)) return
  const row = await deps.store.find(transaction_id)
  if (row && confirmationOf(deps.kinds, row)?.stage === 'open') await apply(deps, row, { kind: 'accepted' })
}

/** Returns the service confirmation of a transaction; `null` if the transaction needs none. */
function confirmationOf(kinds: Kinds, row: Transaction): ServiceConfirmation | null {
  const kind = kinds[row.kind]
  return kind.confirmation?.of(kind.read(row)) ?? null
}

async function apply(
  { synchronizer, kinds }: DecisionDeps,
  { id, kind }: Transaction,
  observation: ConfirmationObservation,
): Promise<void> {
  const confirming: Confirming = { kind: 'confirmation', observation }
  await synchronizer.applyDecision(id, kinds[kind], confirming)
}

function resultOf(confirmation: ServiceConfirmation, { status }: MerchantDecision): ServiceConfirmed {
  if (confirmation.stage === 'open') return NOT_PAID
  const made = confirmation.decision.status
  if (made === status) return { kind: 'decided', confirmation }
  const detail = `The charge was acknowledged as ${made} before, and the first decision counts.`
  return refuse('acknowledged_otherwise', detail)
}
