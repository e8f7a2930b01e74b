/**
 * Who says that a charge was served: the merchant, by taking the event of its payment, or in so many words.
 *
 * [assumed] The first word counts. A backend that cannot serve says FAILED before it takes the event.
 */

import type {
  MerchantDecision,
  ServiceConfirmation,
  ServiceConfirmations,
} from '../transactions/service-confirmation.ts'
import type { MerchantAccount, OutboxEvent, Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Kinds } from '../transactions/kind.ts'

import { SERVED } from './service-confirmation.ts'

export type Acknowledged =
  | { kind: 'said'; fulfilment: ServiceConfirmation }
  | { kind: 'unknown' }
  /** Nothing was paid, or it has left again. */
  | { kind: 'not_paid' }
  | { kind: 'said_otherwise'; status: MerchantDecision['status'] }

interface FulfilDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  kinds: Kinds
}

export type Acknowledge = (reference: string, said: MerchantDecision) => Promise<Acknowledged>

/** Of a charge by its external_reference, or of a checkout with splits by its merchant_transaction_id. */
export function createAcknowledge({ store, account, synchronizer, kinds }: FulfilDeps): Acknowledge {
  return async function acknowledge(reference, said) {
    const row = (await find('charge', reference)) ?? (await find('checkout', reference))
    const half = row && confirmationsOf(kinds, row)
    if (!half) return { kind: 'unknown' }
    await synchronizer.synchronizeWithin(row.id, 'poll')
    await synchronizer.applyDecision(row.id, half.decide(said))
    const now = await synchronizer.synchronizeWithin(row.id, 'due')
    return now ? readAnswer(half.of(now) ?? { stage: 'open' }, said) : { kind: 'unknown' }
  }

  function find(kind: Transaction['kind'], reference: string): Promise<Transaction | null> {
    return store.findByReference(account, kind, reference)
  }
}

/** The events by which money is handed over to be served. What came late is left to a person. */
const HANDED_OVER = ['charge.succeeded', 'checkout.paid']

/** Notes that the merchant took an event, before it counts as told. */
export function createOnTaken({ store, synchronizer, kinds }: FulfilDeps) {
  return async function onTaken({ transaction_id, type }: OutboxEvent): Promise<void> {
    if (!HANDED_OVER.includes(type)) return
    const row = await store.find(transaction_id)
    const half = row && confirmationsOf(kinds, row)
    if (row && half?.of(row)?.stage === 'open')
      await synchronizer.applyDecision(transaction_id, half.decide(SERVED))
  }
}

function confirmationsOf(kinds: Kinds, row: Transaction): ServiceConfirmations | null {
  const half = kinds[row.kind].serviceConfirmations
  return half?.of(row) ? half : null
}

function readAnswer(fulfilment: ServiceConfirmation, { status }: MerchantDecision): Acknowledged {
  if (fulfilment.stage === 'open') return { kind: 'not_paid' }
  const { decision } = fulfilment
  return decision.status === status
    ? { kind: 'said', fulfilment }
    : { kind: 'said_otherwise', status: decision.status }
}
