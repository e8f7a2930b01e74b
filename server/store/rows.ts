/** Parses the rows of the store, and makes those that it has just inserted. */

import type { EventBody, NewTransaction, StoredEvent, Tombstone, Transaction } from './store.ts'
import { z } from 'zod'
import { KindName } from '../api/kinds.ts'
import { MERCHANT_ACCOUNTS } from './store.ts'
import { parseJson } from '../contract/json.ts'

const [text, whole] = [z.string(), z.number()]
/** The columns that transactions and tombstones share. */
const shared = {
  kind: KindName,
  account: z.enum(MERCHANT_ACCOUNTS),
  reference: text,
  group: text,
  attempt: whole,
  outcome: text,
}

export const TransactionRow: z.ZodType<Transaction> = z.object({
  ...shared,
  id: text,
  version: whole,
  /**
   * Invalid JSON remains a string, so that one damaged row does not prevent the parsing of other rows. The damaged row
   * is rejected later, when the record is parsed with the schema of the transaction's kind.
   */
  record: text.transform((json) => parseJson(json) ?? json),
  created_at: whole,
  updated_at: whole,
  due_at: whole.nullable(),
  sent_at: whole.nullable(),
  asked_at: whole.nullable(),
  requested_at: whole.nullable(),
  failures: whole,
  trace_id: text.nullable(),
  personal: text.nullable(),
})
/** A row of a transaction, of which nothing was parsed yet. */
export const RecordRow = z.looseObject({ id: text, record: text })
export const TombstoneRow: z.ZodType<Tombstone> = z.object({ ...shared, amount: text, digest: text })
export const EventRow: z.ZodType<StoredEvent> = z.object({
  sequence: whole,
  id: text,
  transaction_id: text,
  trace_id: text.nullable(),
  type: text,
  body: text,
  created_at: whole,
  failures: whole,
  finish: z.enum(['delivered', 'given_up']).nullable(),
  due_at: whole,
  last_status: whole.nullable(),
  last_answer: text.nullable(),
})
export const EventBodyRow = z
  .object({ id: text, about: text, body: text, is_finished: whole })
  .transform(({ is_finished, ...event }): EventBody => ({ ...event, isFinished: is_finished === 1 }))
export const IdRow = z.object({ id: text })
export const SealedRow = z.object({ id: text, personal: text })
/** A part of a transaction that events are about. */
export const PartRow = z.object({ id: text, about: text })
/** An unfinished event of a part, after its place in the queues was decided. */
export const PromotedRow = z.object({ queue: text.nullable(), due: whole })
export const DueRow = z.object({ id: text, due: whole })
export const NextDueRow = z.object({ due: whole.nullable() })
export const HistoryRow = z.object({ at: whole, what: text })
export const CountRow = z.object({ count: whole })
export const NewestRow = z.object({ newest: whole })
export const OrderMarkRow = z.object({ issued_at: whole, digest: text })
export const MerchantRow = z.object({ numbers: text.transform(parseJson).pipe(z.array(text)) })
export const MarksRow = z.object({ store: whole, recovered: whole.nullable() })

/** Returns the transaction that the store contains after `row` was inserted. */
export function insertedRow({ alike: _alike, asked: _asked, ...row }: NewTransaction): Transaction {
  const never = { asked_at: null, requested_at: null, failures: 0 }
  return { version: 1, updated_at: row.created_at, ...never, personal: null, ...row }
}
