/** The movements of money in the store: what was paid and paid out, and what of it went back. */

import { z } from 'zod'

import { KindName } from '../api/kind-table.ts'

import type { MerchantAccount } from './merchant-account.ts'

const text = z.string()
const whole = z.int()

/**
 * What became of a movement of money: what a payer paid, or what was paid out, may go back; `failed` is the end of a
 * payout or of airtime that moved nothing.
 */
export const MOVED = ['paid', 'reversed', 'refunded', 'failed'] as const
export type Moved = (typeof MOVED)[number]

/** What a movement and its stored form share. */
const moved = {
  /** What of the transaction has moved: a payment of it, or one recipient; empty for the whole transaction. */
  part: text,
  moved: z.enum(MOVED),
  /** When it moved, or was first heard of, in milliseconds since the Unix epoch. */
  at: whole,
  /** Decimal text in major units of `currency`, without needless zeros. */
  amount: text,
  /** ISO 4217; empty if it is not known. */
  currency: text,
  service: text.nullable(),
  operator: text.nullable(),
  /** The operator's receipt, as it is compared (`identityOf`). */
  receipt: text.nullable(),
}

/**
 * A movement of money that the gateway has confirmed. With each change of a transaction's record, its stored movements
 * are made to add up to it (`store/bookings.ts`). The time stays that of the first confirmation.
 */
export interface Movement extends z.output<z.ZodObject<typeof moved>> {
  /**
   * Whether a search by order, receipt, amount or phone number finds it: `false` of a correction, and once the data of the
   * person were erased.
   */
  isFound: boolean
  /**
   * The id of the payer's payment, as it is compared: it counts for one transaction. Absent if the gateway names none, and
   * for money that goes out.
   */
  payment?: string
  /** Keyed fingerprints of the payer's or recipient's phone number and of its last four digits, with the id of their key. */
  phone: string | null
  ends: string | null
  key: string | null
}

export const StoredMovement = z.object({
  ...moved,
  /** What it adds to its day, as decimal text, which may be negative. `amount` is what the record says now. */
  booked: text,
  /** The time on whose day it counts: `at` or, if that day was closed already, when it became known. */
  booked_at: whole,
  /** When what it corrects was booked. `null` if it corrects nothing. */
  corrects: whole.nullable(),
  transaction_id: text,
  kind: KindName,
  /** Whether another order, or another transaction of the same order, has been paid with the same receipt. */
  is_shared: z.coerce.boolean(),
})
export type StoredMovement = z.output<typeof StoredMovement>

/** Where a list of what was found continues, and that of a day. */
export type MovementCursor = Pick<StoredMovement, 'at' | 'transaction_id' | 'part' | 'moved' | 'currency'>
export type BookingCursor = Omit<MovementCursor, 'at'> & Pick<StoredMovement, 'booked_at'>

/** Selects what was paid, the newest first, by one or several of these. */
export interface MovementQuery {
  receipt?: string | undefined
  order?: string | undefined
  /** The fingerprints that a phone number may have, or its last four digits. */
  phone?: readonly string[] | undefined
  ends?: readonly string[] | undefined
  amount?: string | undefined
  /** Milliseconds since the Unix epoch: from this time on, and before that. */
  from?: number | undefined
  until?: number | undefined
  after?: MovementCursor | undefined
  limit: number
}

export interface MovementStore {
  /** Resolves with what was paid, and what the query selects, the newest first. */
  searchMovements(account: MerchantAccount, query: MovementQuery): Promise<StoredMovement[]>
  /** Resolves with a part of all movements from a time on and before another, the oldest first. */
  listMovements(
    account: MerchantAccount,
    times: { from: number; until: number },
    after: BookingCursor | null,
    limit: number,
  ): Promise<StoredMovement[]>
  /** Resolves with the ids of the keys of the stored fingerprints, each with the time of its newest movement. */
  listMovementKeys(account: MerchantAccount): Promise<{ key: string; newest: number }[]>
}
