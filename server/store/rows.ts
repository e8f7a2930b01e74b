/** Parses the rows of both databases. */

import type { StoredEvent, Tombstone, Transaction } from '../store.ts'
import { z } from 'zod'
import { MERCHANT_ACCOUNTS } from '../store.ts'
import { parseJson } from '../json.ts'

/** The columns that transactions and tombstones share. */
const identity = {
  kind: z.enum(['checkout', 'payout', 'charge', 'airtime']),
  account: z.enum(MERCHANT_ACCOUNTS),
  reference: z.string(),
  group: z.string(),
  attempt: z.number(),
  outcome: z.string(),
}

export const Row: z.ZodType<Transaction> = z.object({
  ...identity,
  id: z.string(),
  version: z.number(),
  /**
   * Invalid JSON remains a string, so that one damaged row does not prevent the parsing of other rows. The damaged row
   * is rejected later, when the record is parsed with the schema of the transaction's kind.
   */
  record: z.string().transform((text) => parseJson(text) ?? text),
  created_at: z.number(),
  updated_at: z.number(),
  due_at: z.number().nullable(),
  sent_at: z.number().nullable(),
  asked_at: z.number().nullable(),
  requested_at: z.number().nullable(),
  failures: z.number(),
  trace_id: z.string().nullable(),
})
export const Rows = z.array(Row)
export const TombstoneRows: z.ZodType<Tombstone[]> = z.array(
  z.object({ ...identity, amount: z.string(), digest: z.string() }),
)
export const EventRow = z.object({
  sequence: z.number(),
  id: z.string(),
  transaction_id: z.string(),
  trace_id: z.string().nullable(),
  type: z.string(),
  body: z.string(),
  created_at: z.number(),
  failures: z.number(),
  finish: z.enum(['delivered', 'given_up']).nullable(),
  due_at: z.number(),
  last_status: z.number().nullable(),
  last_answer: z.string().nullable(),
})
export const IdRows = z.array(z.object({ id: z.string() }))
/** The ids of transactions, and the parts of them that events are about. */
export const PartRows = z.array(z.object({ id: z.string(), about: z.string() }))
export type Part = z.output<typeof PartRows>[number]
export const HistoryRows = z.array(z.object({ at: z.number(), what: z.string() }))
export const CountRow = z.object({ waiting: z.number() })
export const NewestRow = z.object({ newest: z.number() })
export const OrderMarkRow = z.object({ issued_at: z.number(), digest: z.string() })
export const MerchantRow = z.object({
  // SQLite has no arrays.
  numbers: z.preprocess(
    (value) => (typeof value === 'string' ? parseJson(value) : value),
    z.array(z.string()),
  ),
})
export const MarksRow = z.object({ store: z.number(), recovered: z.number().nullable() })
export const MarkRow = z.object({ at: z.number().nullable() })
export const DueRows = z.array(z.object({ id: z.string(), due: z.number() }))
export const DueParts = z.array(z.object({ id: z.string(), about: z.string(), due: z.number() }))
export const DueRow = z.object({ due: z.number().nullable() })
export const EventRows = z.array(EventRow)
export const StoredEvents = z.array(
  z
    .object({
      id: z.string(),
      about: z.string(),
      body: z.string(),
      // SQLite has no booleans.
      is_finished: z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean),
    })
    .transform(({ is_finished: isFinished, ...event }): StoredEvent => ({ ...event, isFinished })),
)
/** The last id and the number of ids in the transactions that one statement searches. */
export const WindowRow = z.object({ last: z.string().nullable(), count: z.number() })
export const DataVersionRow = z.object({ data_version: z.number() })
