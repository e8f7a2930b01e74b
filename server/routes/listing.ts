/**
 * Lists of transactions and of events, in pages. Transactions are in the order of their last change, and can be
 * filtered by outcome and by the time of that change.
 */

import { z } from 'zod'

import { timestamp } from '../contract/fields.ts'
import { field, textOrNull } from '../contract/openapi-field.ts'
import { parseJson } from '../contract/parse.ts'

import type { Log } from '../log/log.ts'
import type { StoredEvent } from '../store/events.ts'
import type { ListQuery, Transaction } from '../store/transactions.ts'
import type { Context } from 'hono'

export const PAGE_SIZE = 100

/** What the cursor of transactions contains: `updated_at` and `id` of the last one on the previous page. */
const Position = z.tuple([z.int().min(0), z.string()])
/** What the cursor of events contains: the sequence number of the last one on the previous page. */
const Sequence = z.int().min(0)

export const positionOf = ({ updated_at, id }: Transaction): z.output<typeof Position> => [updated_at, id]
export const sequenceOf = ({ sequence }: Pick<StoredEvent, 'sequence'>): z.output<typeof Sequence> => sequence

const CURSOR = 'The next_cursor of the previous page. Default: the first page.'
export const CURSOR_EXAMPLE = 'WzE3OTUyNTE2MDAwMDAsImEiXQ'

export const listQuery = (outcomes: readonly string[]) =>
  z
    .object({
      outcome: field(
        z.enum(outcomes, `must be one of ${outcomes.join(', ')}`).optional(),
        'Only transactions with this outcome. Default: all.',
      ),
      updated_since: field(
        timestamp.optional(),
        'Only transactions that changed at this time or later. ISO 8601 with an offset. Default: all.',
        '2026-11-21T09:00:00Z',
      ),
      cursor: field(decodeCursor(Position).optional(), CURSOR, CURSOR_EXAMPLE),
    })
    .transform(({ outcome, updated_since, cursor }): ListQuery => ({
      outcome,
      updatedSince: updated_since === undefined ? undefined : Date.parse(updated_since),
      after: cursor && { updated_at: cursor[0], id: cursor[1] },
      limit: PAGE_SIZE,
    }))

export const EventQuery = z.object({
  cursor: field(decodeCursor(Sequence).default(0), CURSOR, CURSOR_EXAMPLE),
})

export const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.object({
    items: field(z.array(item), `At most ${PAGE_SIZE} items, in the order of their last change.`),
    next_cursor: textOrNull('Cursor of the next page. Null on the last page.', CURSOR_EXAMPLE),
  })

/**
 * Responds with one page of a list. A row whose record cannot be read is omitted from the page and named in the log, so
 * that it does not hide the others.
 *
 * @param rows The rows after the cursor, at most `PAGE_SIZE`. Events have no reference.
 */
export function answerList<Row extends { id: string; reference?: string; trace_id: string | null }>(
  c: Context,
  rows: Row[],
  { show, positionOf }: { show: (row: Row) => object; positionOf: (row: Row) => unknown },
  log: Log,
): Response {
  const last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined
  const items = rows.flatMap((row) => {
    try {
      return [show(row)]
    } catch (error) {
      const { id, reference = id, trace_id } = row
      log.error({ reference, trace_id, err: error }, 'A listed record cannot be read.')
      return []
    }
  })
  return c.json({ items, next_cursor: last ? encodeCursor(positionOf(last)) : null })
}

/** Returns a cursor, which clients do not interpret: base64url of the position as JSON. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

export function decodeCursor<Position>(position: z.ZodType<Position>) {
  return z.string().transform((text, context): Position => {
    const { success, data } = position.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (success) {
      return data
    }

    context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier page' })
    return z.NEVER
  })
}
