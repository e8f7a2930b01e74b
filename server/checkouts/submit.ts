/** Creates a checkout from the terms of an order and a request to start it, and sends it. */

import { isRefusal } from '../api/refusal.ts'
import { newTransaction } from '../transactions/new-transaction.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { buildCall } from './call.ts'
import { checkoutKind } from './kind.ts'
import { isSameOrder } from './plan.ts'
import { choosePrompt } from './prompt.ts'
import { addStart, readCheckout } from './record.ts'
import { deriveReferences } from './references.ts'
import { readSubmitted } from './submitted.ts'

import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Order } from '../orders/order.ts'
import type { Marks } from '../store/store.ts'
import type { SubmitDeps } from '../transactions/sender.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Payer } from './payer.ts'
import type { PromptRequest } from './prompt.ts'
import type { Checkout, RequestedTerms, Visit } from './record.ts'
import type { Sending } from './recovered.ts'
import type { SubmittedCheckout } from './submitted.ts'

export interface SubmitCheckoutDeps extends SubmitDeps {
  synchronizer: Synchronizer
  config: Pick<Config, 'publicUrl' | 'charges'>
  client: GatewayClient
  callbacks: { urlOf: (chapter: 'checkout', reference: string) => string }
}

/** The details of a request to start a checkout. */
export interface Start {
  payer: Payer
  visit: Visit
  /** The request to ask the payer on the phone; `null` if the shopper pays on the hosted page. */
  prompt: PromptRequest | null
}

/**
 * Stores a new checkout and sends the checkout's request to the gateway, or starts an unsent one again. Resolves with
 * `null` if a concurrent request has already created a checkout with this attempt number. While the gateway does not
 * respond, nothing is stored.
 */
export async function submitCheckout(
  deps: SubmitCheckoutDeps,
  order: Order,
  start: Start,
  { requested, attempt, unsent }: Sending,
  marks: Marks,
): Promise<SubmittedCheckout | null> {
  const { store, account, sender, synchronizer, fingerprints } = deps
  const origin = { account, store: marks.store, order: requested.order }
  const [reference] = deriveReferences(fingerprints, origin, attempt)
  const identity = unsent ?? { id: deps.randomness.token(), attempt, reference }
  const row = newCheckout(deps, order, requested, start, identity)
  if (row.kind === 'refused') {
    return row
  }

  const transaction = newTransaction(deps, row)
  if (unsent) {
    await store.countPrompt(transaction)
    const restarted = await synchronizer.applyWithoutQuery(checkoutKind, unsent.id, {
      kind: 'restarted',
      record: row.record,
    })
    const checkout = restarted && readCheckout(restarted)
    // Otherwise another request has changed it meanwhile, for other terms or by sending it.
    const isForOrder =
      checkout?.record.phase === 'intended' && isSameOrder(checkout.record.requested, requested)
    return isForOrder ? resume(deps, checkout, start.visit) : null
  }

  const submitted = await sender.submitNew(transaction)
  return submitted && unlessAbandoned(readSubmitted(submitted, 'created'))
}

/** Returns the row of a new checkout, or a refusal if the payer's details are invalid. */
export function newCheckout(
  deps: SubmitCheckoutDeps,
  order: Order,
  requested: RequestedTerms,
  { payer, visit, prompt: promptRequest }: Start,
  { id, attempt, reference }: Pick<Checkout, 'id' | 'attempt' | 'reference'>,
) {
  const { config, fingerprints, callbacks } = deps
  const details = {
    reference,
    payer_name: payer.name,
    payer_email: payer.email,
    payer_msisdn: payer.msisdn,
    narration: order.narration,
    callback_url: callbacks.urlOf('checkout', reference),
    redirect_url: `${config.publicUrl}/checkout/return/${id}`,
  }
  const prompt =
    promptRequest && choosePrompt(config.charges, requested, details.payer_msisdn, promptRequest.method)
  if (prompt && isRefusal(prompt)) {
    return prompt
  }

  const call = buildCall(requested, prompt, details, config.charges)
  if (isRefusal(call)) {
    return call
  }

  const { request } = call
  const people = fingerprints.ofPayer(request)
  const kept = {
    requested,
    visit,
    people,
    told: [],
    resolution: null,
    named_id: null,
    ...(prompt && { prompt }),
    ...(order.link && { link: order.link }),
  }
  const record = { phase: 'intended', ...kept, call, ...NEW_SUBMISSION } as const
  const row = { id, kind: 'checkout', reference, group: requested.order, attempt, record } as const
  if (!prompt) {
    return row
  }

  // The limits on prompts count by phone and by network.
  const network = promptRequest?.network ? fingerprints.of('network', promptRequest.network) : null
  return { ...row, prompt: { phone: fingerprints.of('phone', request.payer_msisdn), network } }
}

/**
 * Resumes an existing checkout. If the gateway has not acknowledged the checkout, sends the checkout's request to the
 * gateway first. Then merges `visit` (how the shopper opens the hosted page, and the return URL) into the visit that
 * the checkout stores. Resolves with `null` if the checkout is no longer stored, or has been given up.
 */
export async function resume(
  { sender, synchronizer }: Pick<SubmitCheckoutDeps, 'sender' | 'synchronizer'>,
  stored: Checkout,
  visit: Visit,
): Promise<SubmittedCheckout | null> {
  const { record } = stored
  const resumed: SubmittedCheckout | null =
    record.phase === 'intended'
      ? unlessAbandoned(readSubmitted(await sender.submit(stored.id), 'existing'))
      : { kind: 'existing', checkout: stored }
  if (resumed === null || resumed.kind === 'refused') {
    return resumed
  }

  const { checkout } = resumed
  if (addStart(checkout.record.visit, visit) === checkout.record.visit) {
    return resumed
  }

  const saved = await synchronizer.applyWithoutQuery(checkoutKind, checkout.id, { kind: 'visit', visit })
  return saved && { kind: 'existing', checkout: readCheckout(saved) }
}

/** Returns `null` for a checkout that has just been given up, by a status query. */
function unlessAbandoned(submitted: SubmittedCheckout): SubmittedCheckout | null {
  const isAbandoned = submitted.kind !== 'refused' && submitted.checkout.record.phase === 'abandoned'
  return isAbandoned ? null : submitted
}
