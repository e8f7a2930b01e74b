/** The notices in the store, by which people are told of events. */

import { z } from 'zod'

import type { MerchantAccount } from './merchant-account.ts'

const text = z.string()
const whole = z.int()

/** The ways in which people are told of events in words: an e-mail, and a request to a service that sends messages. */
export const NOTICE_WAYS = ['email', 'http'] as const
export type NoticeWay = (typeof NOTICE_WAYS)[number]

/** What one reader is to be told of an event. It names the transaction, and holds nothing of a payer. */
export interface NewNotice {
  id: string
  way: NoticeWay
  /** Who is told by this way: an address of the merchant's people; empty for a service, which knows whom it tells. */
  reader: string
  /** The type of the event. */
  type: string
  /** The money of the event: what came, what went back, and what the gateway held then, as decimal text. */
  came: string
  went: string
  held: string
}

export const StoredNotice = z.object({
  id: text,
  way: z.enum(NOTICE_WAYS),
  reader: text,
  type: text,
  came: text,
  went: text,
  held: text,
  transaction_id: text,
  /** The trace id of the transaction; `null` if there is none. */
  trace_id: text.nullable(),
  created_at: whole,
  /** `null` until the reader was told, or until nobody tries it any more. */
  finish: z.enum(['told', 'given_up']).nullable(),
  /** Number of failed deliveries of this notice, and how many of them were handed over and not answered. */
  failures: whole,
  unanswered: whole,
})
export type StoredNotice = z.output<typeof StoredNotice>

export interface NoticeStore {
  /** Claims up to `limit` due notices of one way with a lease until `leaseUntil`. */
  claimNotices(
    account: MerchantAccount,
    way: NoticeWay,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<StoredNotice[]>
  /** Counts a failure, and whether it was handed over and not answered. The notice is due again at `at`. */
  retryNotice(id: string, at: number, isUnanswered: boolean): Promise<void>
  /** Stores what became of a notice. The first end stays. */
  finishNotice(id: string, finish: NonNullable<StoredNotice['finish']>): Promise<void>
  /** Resolves with the notices of a transaction, oldest first. */
  listNoticesOf(transactionId: string): Promise<StoredNotice[]>
  /** Resolves with the time at which the next notice of a way can be claimed; `null` if there is none. */
  nextNoticeDue(account: MerchantAccount, way: NoticeWay): Promise<number | null>
  /** Makes notices that are due later than `latest`, by a clock that has jumped back, due at that time. */
  limitNotices(account: MerchantAccount, way: NoticeWay, latest: number): Promise<void>
}
