/**
 * The interface of the store, which holds transactions, their history and their events. `store/sql-store.ts` implements
 * it on SQLite and on Postgres.
 *
 * A commit writes the change of a transaction, a history entry and events atomically. Every change of a row raises its
 * revision, and a commit fails if the revision has changed since the row was read. Due times are stored, so they survive
 * a crash.
 *
 * References of transactions, groups and orders are stored as they are spelled, and found and compared by their keys
 * (`referenceKey`): two that differ only in case are one.
 */

import { z } from 'zod'

import { KindName } from '../api/kind-table.ts'
import { parseJson } from '../contract/parse.ts'

import type { SentPrompt } from '../rate-limits/prompts.ts'

/**
 * The merchant's account at the gateway that a transaction belongs to: one for each environment, where a rehearsal of
 * production is an environment of its own. A server processes only the transactions of its own account.
 */
export const MERCHANT_ACCOUNTS = ['sandbox', 'rehearsal', 'production'] as const
export type MerchantAccount = (typeof MERCHANT_ACCOUNTS)[number]

const text = z.string()
const whole = z.int()

/** The columns that transactions and tombstones share. */
const shared = {
  kind: KindName,
  account: z.enum(MERCHANT_ACCOUNTS),
  /** The reference of the transaction in requests to the gateway. Its key is unique per merchant account and kind. */
  reference: text,
  /**
   * The reference that the transactions of a group share: checkouts that of their order, and airtime that of the
   * merchant's request. For a payout or a charge, `group` equals `reference`.
   */
  group: text,
  /** Position of the transaction in its `group`, ascending. Unique per merchant account, kind and key of the group. */
  attempt: whole,
  /** The outcome of the transaction, stored outside `record` so that lists can be filtered by outcome. */
  outcome: text,
}

export const Transaction = z.object({
  ...shared,
  /** An opaque id with at least 128 random bits. The API calls the id of a checkout `checkout_id`. */
  id: text,
  /** Version number that clients see. It increases whenever `record` or `sent_at` changes. */
  version: whole,
  /** Number of the state of the whole row, which increases with every change, also of a lease. Clients do not see it. */
  revision: whole,
  /** The details, which `kind` validates. Invalid JSON remains a text: one damaged row leaves the others readable. */
  record: text.transform((json): unknown => parseJson(json) ?? json),
  /** The time of creation, in milliseconds since the Unix epoch. All times of a transaction have this unit. */
  created_at: whole,
  updated_at: whole,
  /** Time of the next status query at the gateway; `null` if no query is scheduled. */
  due_at: whole.nullable(),
  /**
   * When the request was last sent to the gateway; `null` if it was never sent. The time is stored just before sending,
   * so the gateway may or may not have received the request.
   */
  sent_at: whole.nullable(),
  /**
   * When the store was recovered from a backup in which the transaction was unsent or open; `null` if it never was. The
   * store may lack what became of it before this time.
   */
  recovered_at: whole.nullable(),
  /** When the last status query started or, if it failed, when it failed; `null` if there was no query. */
  asked_at: whole.nullable(),
  /** The earliest time of the last query that a callback, a shopper or a recovery requested; `null` without one. */
  requested_at: whole.nullable(),
  /** The revision at which this request was stored; `null` once a query that began with it or a later one has ended. */
  requested_revision: whole.nullable(),
  /** Number of consecutive failed status queries. An outage of the gateway counts as at most one failure. */
  failures: whole,
  /** The id that log lines, gateway requests and deliveries about it contain; `null` if there is none. */
  trace_id: text.nullable(),
  /** The personal data of `record`, encrypted (`privacy/personal.ts`); `null` if there are none. */
  personal: text.nullable(),
})
export type Transaction = z.output<typeof Transaction>

/** The encrypted personal data of the transaction `id`, and the time of its last change. */
export const Sealed = z.object({ id: text, updated_at: whole, personal: text })
export type Sealed = z.output<typeof Sealed>

/** The columns about status queries, of a transaction about which none was sent or requested. */
export const NEVER_ASKED: Pick<Transaction, 'asked_at' | 'requested_at' | 'requested_revision' | 'failures'> =
  { asked_at: null, requested_at: null, requested_revision: null, failures: 0 }
/** The columns of a new row that the caller of the store does not give. */
const UNCHANGED = { version: 1, revision: 1, recovered_at: null, personal: null, ...NEVER_ASKED }

export type NewTransaction = Omit<Transaction, 'updated_at' | keyof typeof UNCHANGED> &
  Partial<Pick<Transaction, 'personal'>> & {
    /** The prompt that the transaction sends, which is stored and counted with it. */
    prompt?: SentPrompt
  }

/** Returns the transaction that the store contains after `row` was inserted. */
export function insertedRow({ prompt: _prompt, ...row }: NewTransaction): Transaction {
  // With its spreads last, V8 makes no hidden class for each object: 2 µs in place of 25.
  return { updated_at: row.created_at, ...UNCHANGED, ...row }
}

/** The sort key of a row in a list of transactions. Lists are sorted by `updated_at`, then by `id`. */
export type RowCursor = Pick<Transaction, 'updated_at' | 'id'>

/**
 * The mark of an order identifies the newest version of the order that the merchant's backend has signed. With the
 * mark, the server recognizes and refuses an older version that has other terms (`orders/signed.ts`).
 */
export const OrderMark = z.object({
  /** The time at which this version was signed, in seconds since the Unix epoch. */
  issued_at: whole,
  /** SHA-256 of the terms of this version, such as the amount. */
  digest: text,
})
export type OrderMark = z.output<typeof OrderMark>

/** A link that many may pay. Each payer has an order of their own (`links/orders.ts`). */
export const StoredLink = z.object({
  /** An unguessable id, which the address of the link has. */
  id: text,
  /** Number of the link in the store. Newer links have higher numbers. */
  sequence: whole,
  /** What the merchant said, which `links/link.ts` validates. */
  terms: text.transform((json): unknown => parseJson(json) ?? json),
  created_at: whole,
  closed_at: whole.nullable(),
})
export type StoredLink = z.output<typeof StoredLink>

/** The press of a link's page, which makes an order. */
export const Press = z.object({
  /** The name of the order. */
  order: text,
  /** The id of the link. */
  link: text,
  /** What the payer chose, which `links/link.ts` validates. */
  choice: text.transform((json): unknown => parseJson(json) ?? json),
  /** What the payer answered, encrypted; `null` if the link asks nothing. */
  personal: text.nullable(),
})
export type Press = z.output<typeof Press>

export interface NewPress extends Omit<Press, 'choice'> {
  choice: object
  /** The fingerprint of the client network; `null` if the network is unknown. */
  network: string | null
  at: number
}

export const HistoryEntry = z.object({ at: whole, what: text })
export type HistoryEntry = z.output<typeof HistoryEntry>

export interface NewEvent {
  id: string
  type: string
  /**
   * The part of the transaction that the event concerns, for example one airtime recipient. Events of one transaction
   * are delivered in order if their `about` is equal.
   */
  about?: string
  /** The content of the event as JSON text, equal in every delivery. */
  body: string
}

export const StoredEvent = z.object({
  id: text,
  type: text,
  /** Empty if the event concerns the whole transaction. */
  about: text,
  body: text,
  /** Number of the event in the store. Newer events have higher numbers. */
  sequence: whole,
  transaction_id: text,
  /** The trace id of the transaction; `null` if there is none. */
  trace_id: text.nullable(),
  created_at: whole,
  /** Number of failed deliveries of this event. */
  failures: whole,
  /** `no_receiver`: no destination was configured. */
  finish: z.enum(['delivered', 'no_receiver', 'given_up']).nullable(),
  /** Time of the next delivery, if `finish` is `null`. */
  due_at: whole,
  /** HTTP status of the last answer of the backend; `null` if there was none. */
  last_status: whole.nullable(),
  /** Beginning of the last answer, or why there was none, if the last delivery failed; `null` otherwise. */
  last_answer: text.nullable(),
})
export type StoredEvent = z.output<typeof StoredEvent>

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

/** What the backend answered: its HTTP status, `null` without one, and the beginning of the text or the error. */
export interface DeliveryAnswer {
  status: number | null
  text: string | null
}

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
  /** Whether it is found by order, receipt, amount, or the data of a person: `false` once these were erased. */
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
  /** The day to which it counts: that of `at`, or, if that was closed already, the one on which it became known. */
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

/** The result of a delivery. After `retry`, the event is delivered again at `at`. */
export type Delivery = { answer?: DeliveryAnswer } & (
  | { kind: 'delivered' }
  | { kind: 'no_receiver' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number }
)

/** The queue of undelivered events before the first delivery, and after a failed delivery. */
export type EventQueue = 'events' | 'retries'

/** The data that remains of a pruned transaction. Its reference and its attempt number cannot be used again. */
export const Tombstone = z.object({
  ...shared,
  /** The requested amount and its currency, such as "1500 KES". */
  amount: text,
  /** Fingerprint of the requested data, by which the server recognizes a repeated request. */
  digest: text,
})
export type Tombstone = z.output<typeof Tombstone>

/** Selects transactions for a list: at most `limit` transactions that match the filters and follow `after`. */
export interface ListQuery {
  outcome?: string | undefined
  /** Selects only rows with `updated_at` at or after this time. */
  updatedSince?: number | undefined
  after?: RowCursor | undefined
  limit: number
}

/** The outcomes after which a person has to check the transaction. */
export const FOR_A_PERSON = ['needs_attention', 'review', 'jammed'] as const

/** A change to a stored transaction. Fields that are absent in the change keep their stored values. */
export interface Change {
  at: number
  /** The new details of the transaction. A new `record` or a new `sent_at` increments the version of the row. */
  record?: unknown
  /** Whether nobody but the server sees what is new in the record: the version of the row stays. */
  isUnseen?: boolean
  /** The new encrypted personal data of the record; `null` deletes them. */
  personal?: string | null
  outcome?: string
  /** When it was sent; `null` if nothing has left. */
  sent_at?: number | null
  due_at?: number | null
  asked_at?: number
  requested_at?: number
  requested_revision?: number | null
  failures?: number
  /** The text of a new history entry, one sentence; `null` adds no entry. */
  historyEntry?: string | null
  events?: NewEvent[]
  /** What people are to be told of these events. */
  notices?: NewNotice[]
  /** All movements of the changed record; absent if they are those of the record before. */
  movements?: readonly Movement[]
  /** Since when the merchant's days are open. What was booked before stays, and is corrected at `at`. Default: all are. */
  open_since?: number
}

/** The notification that the transaction `id` has changed. */
export interface Changed {
  id: string
  /** Time of the next status query; `null` if the change schedules no query, or if another process made the change. */
  due_at: number | null
  /** Time of the next delivery; `null` if the change schedules no delivery, or if another process made the change. */
  event_due_at: number | null
}

/** What `count` counts: the due rows of a queue, undelivered events, or the transactions with a given outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: KindName; outcome: string }

/**
 * The marks of a store. `store` is a random number, which tells this store from others. `recovered` is when the store
 * was last recovered, and `compared` when a person last said that it was compared with the merchant portal, in
 * milliseconds since the Unix epoch; `null` if that never happened.
 */
export interface Marks {
  store: number
  recovered: number | null
  compared: number | null
}

/** The database of the server. Every method may reject with a {@link StoreError}. */
export interface Store {
  // Transactions.
  /** Inserts all or none: `false` if a reference or an attempt is taken. Rejects if a prompt exceeds a limit. */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  /** Counts the prompt of a transaction that is stored already and is started again. Rejects if it exceeds a limit. */
  countPrompt(transaction: NewTransaction): Promise<void>
  find(id: string): Promise<Transaction | null>
  /** Resolves with the transaction of a reference in a merchant account; `null` if there is none. */
  findByReference(account: MerchantAccount, kind: KindName, reference: string): Promise<Transaction | null>
  /** Resolves with all transactions of a group, ordered by attempt. */
  list(account: MerchantAccount, kind: KindName, group: string): Promise<Transaction[]>
  /** Resolves with one page of an account's transactions, in the order of their last change. */
  search(account: MerchantAccount, kind: KindName, query: ListQuery): Promise<Transaction[]>
  /**
   * Applies the change to the row with this id and revision. Resolves with the row; `null` without one. Rejects with a
   * {@link CountedElsewhereError} if a payment among the movements counts for another transaction.
   */
  commit(id: string, revision: number, change: Change): Promise<Transaction | null>
  /** Resolves with the log of a transaction, oldest entry first. */
  history(id: string): Promise<HistoryEntry[]>
  /**
   * Stores `mark` for the order with the reference `order`, unless the order already has a mark with an equal or later
   * `issued_at`. Resolves with the mark that is stored after the call.
   */
  markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark>

  // Reusable links, and the presses of their pages.
  insertLink(
    account: MerchantAccount,
    link: { id: string; terms: object; created_at: number },
  ): Promise<StoredLink>
  findLink(account: MerchantAccount, id: string): Promise<StoredLink | null>
  /** Resolves with the links after the one with the number `after`, oldest first. */
  listLinks(account: MerchantAccount, after: number, limit: number): Promise<StoredLink[]>
  /** Closes a link, unless it is closed. Resolves with the link; `null` without one. */
  closeLink(account: MerchantAccount, id: string, at: number): Promise<StoredLink | null>
  /**
   * Stores a press, unless its order has one: the first remains. Deletes presses of other days. Resolves with `false`
   * if a limit on presses is reached.
   */
  press(account: MerchantAccount, press: NewPress): Promise<boolean>
  /** Resolves with the press of an order; `null` without one. */
  findPress(account: MerchantAccount, order: string): Promise<Press | null>
  /** Deletes the presses whose time differs from `now` by a day or more. */
  forgetPresses(account: MerchantAccount, now: number): Promise<void>

  // Scheduled status queries, and counts of rows.
  /** Claims up to `limit` due transactions, with a lease until `leaseUntil`. `commit` ends the lease earlier. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /** Requests a query at `at`, if the row has this revision. Neither reads nor returns the record, which may be long. */
  requestQuery(id: string, revision: number, at: number): Promise<boolean>
  /** Requests a query at `now` for up to `limit` transactions whose last query failed. Resolves with their number. */
  bringQueriesForward(account: MerchantAccount, now: number, limit: number): Promise<number>
  /**
   * If the last change, query or request of a transaction has a time after `now`, reduces its due time by the
   * difference. Leases end at `leaseUntil` at the latest.
   */
  correctFutureTimes(account: MerchantAccount, now: number, leaseUntil: number): Promise<void>
  /** Resolves with transactions of a kind that have a scheduled status query, in the order of their ids. */
  listScheduled(
    account: MerchantAccount,
    kind: KindName,
    afterId: string,
    limit: number,
  ): Promise<Transaction[]>
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>
  /**
   * Resolves with the number of rows that `what` selects, or with `limit` if there are more. For `undelivered`, counts
   * the events of all merchant accounts, not only those of `account`.
   */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>

  // Events, until they are delivered to the merchant's backend.
  /**
   * Claims up to `limit` due events with a lease until `leaseUntil`, those that became due last first. Events of one
   * transaction with an equal `about` are claimed in order, one at a time.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<StoredEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /**
   * Makes events that are due later than in `beyondMs` due within `spreadMs`, and ends their leases within `leaseMs`.
   * With `createdSince`, only events that were created since then, and have failed.
   */
  bringEventsForward(
    account: MerchantAccount,
    now: number,
    times: Record<'beyondMs' | 'spreadMs' | 'leaseMs', number> & { createdSince?: number | undefined },
  ): Promise<void>
  /** Resolves with the events whose sequence number is higher than `after`, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<StoredEvent[]>
  findEvent(account: MerchantAccount, id: string): Promise<StoredEvent | null>
  /** Makes an event due at `at`, even if it was delivered already. Resolves with `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>

  // Notices, by which people are told.
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
  // Movements of money.
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

  // Pruning, and erasing of personal data.
  /**
   * Resolves with transactions that have no scheduled status query and have not changed since `before`, ordered by
   * `updated_at`, then by `id`. `prune` decides which of these transactions may be deleted.
   */
  listEnded(
    account: MerchantAccount,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Replaces transactions with their tombstones, and deletes their history, events, movements and notices. Resolves
   * with their number. A group is kept as a whole if one of its transactions has changed since `before`, has a scheduled
   * status query or an undelivered event, or has an outcome after which a person has to check the transaction.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Resolves with the tombstones of a group, ordered by attempt. */
  listTombstones(account: MerchantAccount, kind: KindName, group: string): Promise<Tombstone[]>
  /** Resolves with the events of a transaction, oldest first. */
  listEventsOf(transactionId: string): Promise<StoredEvent[]>
  /**
   * Replaces the record and the personal data of a transaction, and deletes its history and its finished events about
   * these parts (`about`), or all if `parts` is `null`. Events about them that were given up get the body in `bodies`.
   * Of the press that made its order, only the choice remains. Changes nothing if the revision differs or such a body is
   * missing (`changed`), or if one of the events is not finished (`undelivered`). `movements` are those of the erased
   * record.
   */
  erase(
    id: string,
    revision: number,
    erased: Pick<Transaction, 'record'> & Partial<Pick<Transaction, 'personal'>> & Pick<Change, 'movements'>,
    parts: readonly string[] | null,
    bodies: readonly Pick<StoredEvent, 'id' | 'body'>[],
  ): Promise<'erased' | 'changed' | 'undelivered'>
  /**
   * Resolves with transactions that have personal data, but no scheduled status query and no undelivered event, and have
   * not changed since `before`, in the order of `listEnded`. The record has `null` in the places of these data.
   */
  listPersonal(
    account: MerchantAccount,
    kind: KindName,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /** Resolves with a part of the transactions whose personal data the key encrypted, in the order of `listEnded`. */
  listSealed(
    account: MerchantAccount,
    kind: KindName,
    key: string,
    after: RowCursor | null,
    limit: number,
  ): Promise<Sealed[]>
  /** Replaces the encrypted personal data of a transaction, unless they have changed. */
  reseal(sealed: Pick<Sealed, 'id' | 'personal'>, personal: string): Promise<void>
  /**
   * Resolves with the transactions whose record contains one of the texts, among the next `limit` transactions in the
   * order of their ids. `next` is the id after which the search continues; `null` at the end.
   *
   * @param texts Texts in lower case. Upper case in a record counts as lower case.
   */
  findMentioning(
    account: MerchantAccount,
    texts: readonly string[],
    after: string,
    limit: number,
  ): Promise<{ rows: Transaction[]; next: string | null }>
  /** Truncates SQLite's WAL, which may contain deleted data. Resolves with `false` if another process prevents this. */
  truncateLog(): Promise<boolean>

  // The database as a whole.
  marks(): Promise<Marks>
  /** Stores that a person has compared the recovered store with the merchant portal. */
  saveCompared(now: number): Promise<void>
  /**
   * Stores the account numbers by which the merchant of `account` is known. Adds `numbers` to the stored numbers if
   * they have one in common. Otherwise, replaces the stored numbers if there are none, or those of another merchant
   * with `adopt`. Resolves with the numbers that are stored after the call.
   */
  setMerchant(
    account: MerchantAccount,
    numbers: readonly string[],
    another?: 'refuse' | 'adopt',
  ): Promise<string[]>
  /**
   * Calls `changed` after each committed change. Returns a function that stops these calls.
   *
   * @param watched Returns the ids of the transactions that the caller watches. The store polls these transactions
   * while notifications from other processes do not arrive.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write to disk. Rejects if the write fails. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Thrown if the store cannot be used. The method that failed has made either all of its changes or none. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Thrown if the store is away or cannot work at present. A later attempt may succeed with the same configuration. */
export class StoreAwayError extends StoreError {}

/** Thrown if the store has the transactions of another merchant than the configured one. */
export class OtherMerchantError extends StoreError {}

/** The references of the transactions for which payments count, by the id of the payment as it is compared. */
export type CountedElsewhere = ReadonlyMap<string, string>

/** Thrown if a commit would count payments that count for other transactions of the account. Nothing is changed. */
export class CountedElsewhereError extends Error {
  override readonly name = 'CountedElsewhereError'
  readonly elsewhere: CountedElsewhere

  constructor(elsewhere: CountedElsewhere) {
    super(`Payments count for other transactions: ${[...elsewhere.values()].join(', ')}.`)
    this.elsewhere = elsewhere
  }
}

/** Thrown if another server process uses the SQLite file, which serves one at a time. */
export class StoreInUseError extends Error {}

/** Thrown if neither Node nor an installed package can open SQLite files. */
export class NoDriverError extends Error {}

/** Thrown if a command would create the store. Only a server creates one, so that a wrong STORE_URL is noticed. */
export class NoStoreError extends Error {
  constructor(place: string) {
    super(
      `There is no store at ${place}: start the server first, which creates it. If it has run, is STORE_URL right, and is this its working directory?`,
    )
  }
}
