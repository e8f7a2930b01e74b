/**
 * Takes the merchant's decision about a paid service. The merchant may send it to the API. If the merchant's backend accepts
 * the event about the payment before any decision was sent, the decision is SUCCESSFUL. To refuse service, the backend
 * must therefore send FAILED before it accepts the event.
 */

import type { EventType } from '../api/kinds.ts'
import type { Refusal } from '../api/refusal.ts'
import type { MerchantAccount, Store, StoredEvent, Transaction } from '../store/store.ts'
import type { Kinds, ServiceConfirmation } from '../transactions/kind.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { ConfirmationObservation, Confirming, MerchantDecision } from './service-confirmation.ts'
import { refuse } from '../api/refusal.ts'

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
