/**
 * Who says that a charge was served: the merchant, by taking the event of its payment, or in so many words.
 *
 * [assumed] The first word counts. A backend that cannot serve says FAILED before it takes the event.
 */

import type { Fulfilment, Said } from '../payments/fulfilment.ts'
import type { Home, OutboxEvent, Store, Transaction } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import type { Kinds, SecondHalf } from '../transactions/kind.ts'
import { SERVED } from '../payments/fulfilment.ts'

export type Acknowledged =
  | { kind: 'said'; fulfilment: Fulfilment }
  | { kind: 'unknown' }
  /** Nothing was paid, or it has left again. */
  | { kind: 'not_paid' }
  | { kind: 'said_otherwise'; status: Said['status'] }

interface FulfilDeps {
  store: Store
  home: Home
  door: Door
  kinds: Kinds
}

export type Acknowledge = (reference: string, said: Said) => Promise<Acknowledged>

/** Of a charge by its external_reference, or of a checkout with splits by its merchant_transaction_id. */
export function createAcknowledge({ store, home, door, kinds }: FulfilDeps): Acknowledge {
  return async function acknowledge(reference, said) {
    const row = (await find('charge', reference)) ?? (await find('checkout', reference))
    const half = row && secondHalf(kinds, row)
    if (!half) return { kind: 'unknown' }
    await door.glance(row.id, 'poll')
    await door.apply(row.id, half.decide(said))
    const now = await door.glance(row.id, 'due')
    return now ? readAnswer(half.of(now) ?? { stage: 'open' }, said) : { kind: 'unknown' }
  }

  function find(kind: Transaction['kind'], reference: string): Promise<Transaction | null> {
    return store.findByReference(home, kind, reference)
  }
}

/** The events by which money is handed over to be served. What came late is left to a person. */
const HANDED_OVER = ['charge.succeeded', 'checkout.paid']

/** Notes that the merchant took an event, before it counts as told. */
export function createOnTaken({ store, door, kinds }: FulfilDeps) {
  return async function onTaken({ transaction_id, type }: OutboxEvent): Promise<void> {
    if (!HANDED_OVER.includes(type)) return
    const row = await store.find(transaction_id)
    const half = row && secondHalf(kinds, row)
    if (row && half?.of(row)?.stage === 'open') await door.apply(transaction_id, half.decide(SERVED))
  }
}

function secondHalf(kinds: Kinds, row: Transaction): SecondHalf | null {
  const half = kinds[row.kind].secondHalf
  return half?.of(row) ? half : null
}

function readAnswer(fulfilment: Fulfilment, { status }: Said): Acknowledged {
  if (fulfilment.stage === 'open') return { kind: 'not_paid' }
  const { decision } = fulfilment
  return decision.status === status
    ? { kind: 'said', fulfilment }
    : { kind: 'said_otherwise', status: decision.status }
}
