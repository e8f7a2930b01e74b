/** Everything that a story changes: the store of the server, the truth at the gateway, and the time. Immutable. */

import type { Transaction } from '../../server/store/transactions.ts'
import type { Thing } from './truth.ts'

export const START = Date.UTC(2026, 10, 21, 9)

/** An event about a transaction, in the store. */
export interface ShelvedEvent {
  id: string
  transactionId: string
  type: string
  about: string
  at: number
  /** What it says is paid. */
  received: string
  finish: 'delivered' | 'given_up' | null
}

/** What went wrong so far, so that an alarm has a cause. */
export type Trouble =
  | 'an answer was lost'
  | 'a refusal followed an arrival'
  | 'money is stuck'
  | 'a part was paid'
  | 'money moved for long'
  | 'money was paid again'
  | 'a wrong 120'
  | 'the gateway leaves money out'
  | 'the gateway lies'
  | 'the gateway disowns what it has'
  | 'nobody asked before the gateway forgot'
  | 'a clock was wrong'
  | 'the store was restored'
  | 'the secret was rotated'
  | 'the decision does not arrive'
  | 'the gateway contradicts itself'

export interface State {
  /** The true time, in milliseconds since the Unix epoch. */
  now: number
  /** By how much the server's clock is ahead of the true time. */
  ahead: number
  rows: readonly Transaction[]
  events: readonly ShelvedEvent[]
  /** When the store was recovered. */
  recoveredAt: number | null
  things: readonly Thing[]
  /** What the shopper's order costs now. */
  amount: string
  /** The values of GATEWAY_CONSUMER_SECRET, newest first. */
  secrets: readonly [string, ...string[]]
  troubles: readonly Trouble[]
  /** How often each letter was used that a story has only so often. */
  used: Readonly<Record<string, number>>
  /** The types of the events that the merchant accepted, and that the store no longer has. */
  toldBefore: readonly string[]
  /** The last decision about a service that the server took from the merchant, by the reference of the row. */
  said: Readonly<Record<string, string>>
  /** What a backup has of the store; `null` if there is none. */
  backup: Backup | null
  /** The last number of a row or an event. */
  serial: number
}

export type Backup = Pick<State, 'rows' | 'events'>

export const BEGINNING: State = {
  now: START,
  ahead: 0,
  rows: [],
  events: [],
  recoveredAt: null,
  things: [],
  amount: '1500',
  secrets: ['the first secret'],
  troubles: [],
  used: {},
  toldBefore: [],
  said: {},
  backup: null,
  serial: 0,
}

export function withTrouble(state: State, trouble: Trouble): State {
  return state.troubles.includes(trouble) ? state : { ...state, troubles: [...state.troubles, trouble] }
}
