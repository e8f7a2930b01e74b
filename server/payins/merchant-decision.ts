/**
 * Takes the merchant's decision about the service, by the API or by the acceptance of an event, stores it and sends it to
 * the gateway. [spec: Service processing confirmation]
 */

import { z } from 'zod'

import { refuse } from '../api/refusal.ts'
import { parseJson } from '../contract/parse.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { storedAmount } from '../transactions/record.ts'
import { paymentOf } from './held-payments.ts'
import { isStanding } from './service-confirmation.ts'

import type { EventType } from '../api/kind-table.ts'
import type { Refusal } from '../api/refusal.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { StoredEvent } from '../store/events.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { NamedDecision, ServiceConfirmation } from '../transactions/kind.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Confirming, GatewayAnswer, MerchantDecision } from './service-confirmation.ts'

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
  // No charge is sent under the reference of a checkout: the order has no meaning.
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

  const held = confirmationOfHeld(kinds, decided)
  const standing = held.payments.filter(isStanding)
  const [first] = standing
  if (!first) {
    return NOT_PAID
  }

  const said = standing.filter((each) => each.decision.status === decision.status)
  if (said.length === 0) {
    return refuse(
      'acknowledged_otherwise',
      `The payment was acknowledged as ${first.decision.status} before. This counts, unless the gateway refuses it for certain.`,
    )
  }

  // What the gateway has answered before is the answer only if nothing else is to be sent.
  const unsent = said.filter(({ stage }) => stage === 'decided')
  const asked = (unsent.length > 0 ? unsent : said).map(({ decision: { payment_id } }) => payment_id)
  // A stored decision is due at once, or after the pause that follows a failure.
  const sent = await synchronizer.synchronizeWithin(row.id, 'due')
  const confirmation = (sent && confirmationOf(kinds, sent)) ?? stored
  const payments = confirmation.payments.filter((each) => asked.includes(paymentOf(each)))
  // What had no id may have one now.
  return { kind: 'decided', confirmation: payments.length > 0 ? { ...confirmation, payments } : confirmation }
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
  { transaction_id, type, created_at, body }: StoredEvent,
): Promise<void> {
  if (!CONFIRMING_EVENTS.includes(type)) {
    return
  }

  const row = await deps.store.find(transaction_id)
  const confirmation = row && confirmationOf(deps.kinds, row)
  const received = receivedIn(body)
  if (!confirmation || received === null) {
    return
  }

  // Where each payment has a decision, there is none to take. One that the gateway refuses, and may have taken before the
  // backup, is sent for a day: meanwhile, no query counts as answered.
  const { payments } = confirmation
  const isDecided = payments.length > 0 && payments.every(isStanding)
  const { recovered } = await deps.store.marks()
  if (recovered !== null && created_at < recovered && !isDecided && !isAskedSince(row, recovered)) {
    const asked = await deps.synchronizer.synchronizeWithin(row.id, 'requested')
    if (!asked || !isAskedSince(asked, recovered)) {
      const message = 'The gateway has to be asked first what became of the payment since the backup.'
      throw new GatewayError('gateway_unavailable', message)
    }
  }

  await apply(deps, row, { kind: 'accepted', received })
}

/** The part of the body of an event about a payment that says how much was paid. */
const AboutPayment = z.object({ data: z.object({ amount_paid: storedAmount }) })

/** Returns what an event says is paid; `null` if it does not say so. */
function receivedIn(body: string): string | null {
  return AboutPayment.safeParse(parseJson(body)).data?.data.amount_paid ?? null
}

/** Returns whether the gateway has answered a status query since the store was recovered. */
function isAskedSince({ asked_at, failures }: Transaction, recovered: number): boolean {
  return asked_at !== null && asked_at >= recovered && failures === 0
}

/**
 * Sends the merchant's decision to the gateway. Resolves with the observation of the gateway's response. What may be a
 * phone number or an e-mail address in its text is not stored: the payer's details, by which to find them, are deleted.
 *
 * @throws {GatewayError} if there is no usable response.
 */
export async function sendDecision(
  { trace_id: traceId }: Pick<Transaction, 'trace_id'>,
  decision: NamedDecision,
  { client }: { client: Pick<GatewayClient, 'confirmService'> },
): Promise<Confirming> {
  const answered = (answer: GatewayAnswer) => ({ kind: 'answered', answer }) as const
  try {
    const { message } = await client.confirmService(decision, { traceId })
    return answered({ stage: 'confirmed', decision, message: maskedBeginning(message ?? '') })
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) {
      throw error
    }
    const message = maskedBeginning(`${error.message} ${error.refusal.message}`) ?? error.code
    return answered({ stage: 'refused', decision, message })
  }
}

function apply({ synchronizer, kinds }: DecisionDeps, row: Transaction, observation: Confirming) {
  return synchronizer.applyWithoutQuery(kinds.of(row.kind), row.id, observation)
}

/** Returns the part of the service confirmation that is about money which is held, or went back as decided. */
function confirmationOfHeld(kinds: Kinds, row: Transaction): ServiceConfirmation {
  const kind = kinds.of(row.kind)
  return kind.confirmationOfHeld?.(kind.read(row)) ?? UNDECIDED
}

/** Returns the service confirmation of a transaction; `null` if the transaction needs none. */
function confirmationOf(kinds: Kinds, row: Transaction): ServiceConfirmation | null {
  const kind = kinds.of(row.kind)
  return kind.confirmationOf?.(kind.read(row)) ?? null
}
