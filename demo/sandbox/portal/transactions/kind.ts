import type { Failure } from '../../wire/failure.ts'
import type { World } from '../../world.ts'
import type { Searchable } from '../listing.ts'
import type { Badge } from './badge.ts'
import type { Moment } from './moment.ts'

/** A transaction as a line of a list. */
export interface Row {
  id: string
  /** The path of its page, below `/portal`. */
  path: string
  /** Who pays or receives. */
  party: string
  about: string
  /** With its currency. */
  amount: string
  badge: Badge
  /** Milliseconds since the Unix epoch. */
  createdAt: number
}

export interface Fact {
  label: string
  value: string
  /** `code`: text that people copy; `time`: milliseconds since the Unix epoch. */
  as?: 'code' | 'time'
}

/** A part of a transaction: one attempt to pay, or one recipient of airtime. */
export interface Part {
  title: string
  /** The path of its page, below `/portal`; `null` if it has none. */
  path: string | null
  detail: string
  amount: string
  badge: Badge
  /** The time of the last change, in milliseconds since the Unix epoch. */
  at: number
}

/** A transaction with everything that is known about it. */
export interface Detail {
  row: Row
  /** The description of the last result, for people. */
  result: string | null
  facts: readonly Fact[]
  /** `null` if the transaction has no parts; an empty list if it has none yet. */
  parts: { title: string; empty: string; rows: readonly Part[] } | null
  moments: readonly Moment[]
  actions: readonly MoneyAction[]
  /** Whether nothing changes any more unless a person acts. */
  isSettled: boolean
}

/** What people with the right to move money do with a transaction. */
export type MoneyAction = 'refund' | 'reverse' | 'resolve_paid' | 'resolve_failed'

/** The scenario of a payout or of airtime that does what a person asks for. */
export const SCENARIO_OF = {
  refund: 'refund',
  reverse: 'reverse',
  resolve_paid: 'success',
  resolve_failed: 'decline',
} as const satisfies Record<MoneyAction, string>

/** The list of all transactions of one kind. */
export interface TransactionList<T> {
  /** Below `/portal`. */
  path: string
  title: string
  /** What is searched, as a hint. */
  searched: string
  empty: string
  badges: readonly Badge[]
  /** All of them, the oldest first. */
  all(world: World): Iterable<T>
  searchable(world: World): Searchable<T>
  rowOf(world: World, transaction: T): Row
}

/** One transaction on a page of its own. */
export interface TransactionPage<T> {
  /** Below `/portal`, with parameters such as `/payouts/:payout_reference`. */
  path: string
  title: string
  find(world: World, params: Readonly<Record<string, string>>): T | undefined
  /** @param search Shows only the parts that contain these words. */
  detailOf(world: World, transaction: T, search: string): Detail
  /**
   * Moves money. Returns a failure if the state of the transaction does not allow it. `null` if there is no money to move.
   */
  act: ((world: World, transaction: T, action: MoneyAction) => Failure | null) | null
}

/** @param otherwise Where callbacks go if the request has no address of its own. */
export function callbackFact(url: string | null, otherwise: string): Fact {
  const label = 'Callbacks to'
  return url === null ? { label, value: otherwise } : { label, value: url, as: 'code' }
}
