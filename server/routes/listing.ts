/** Lists in the order of the last change, page by page: `?outcome=&updated_since=&cursor=`. */

import type { Context } from 'hono'
import type { Log } from '../log.ts'
import type { ListQuery, OutboxEvent, Transaction } from '../store.ts'
import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { parseJson } from '../json.ts'
import { readGiven } from './problem.ts'

export const PAGE_SIZE = 100

const CURSOR = 'The next_cursor of an earlier page.'

/** Where the last page ended. Opaque to the client. */
const Position = z.tuple([z.int().min(0), z.string()])
const Sequence = z.int().min(0)

export const positionOf = ({ updated_at, id }: Transaction): z.output<typeof Position> => [updated_at, id]
export const sequenceOf = ({ sequence }: OutboxEvent): z.output<typeof Sequence> => sequence

export const listQuery = (outcomes: readonly string[]) =>
  z.object({
    outcome: z
      .enum(outcomes, `must be one of ${outcomes.join(', ')}`)
      .optional()
      .describe('Only those that came to this.'),
    updated_since: timestamp
      .optional()
      .describe('Only those that changed at this time or later. ISO 8601; without an offset it is UTC.'),
    cursor: cursor(Position).optional().describe(CURSOR),
  })
export const EventQuery = z.object({ cursor: cursor(Sequence).default(0).describe(CURSOR) })

export const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable().describe('Null at the end.') })

export function readListQuery(c: Context, outcomes: readonly string[]): ListQuery {
  const { outcome, updated_since, cursor: position } = readGiven(listQuery(outcomes), c.req.query())
  return {
    outcome,
    updatedSince: updated_since === undefined ? undefined : Date.parse(updated_since),
    after: position && { updated_at: position[0], id: position[1] },
    limit: PAGE_SIZE,
  }
}

/**
 * `next_cursor` is null at the end; what changes meanwhile comes again behind it. A record that cannot be read is
 * left out, named in the log, and keeps nobody from the others.
 */
export function answerList<Row extends { id: string; reference?: string }>(
  c: Context,
  rows: Row[],
  show: (row: Row) => object,
  placeOf: (row: Row) => unknown,
  log: Log,
): Response {
  const last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined
  const items = rows.flatMap((row) => {
    try {
      return [show(row)]
    } catch (error) {
      log.error({ id: row.id, reference: row.reference, err: error }, 'A listed record cannot be read.')
      return []
    }
  })
  return c.json({ items, next_cursor: last ? written(placeOf(last)) : null })
}

function cursor<Place>(place: z.ZodType<Place>) {
  return z.string().transform((text, context): Place => {
    const read = place.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (read.success) return read.data
    context.addIssue({ code: 'custom', message: 'must be the next_cursor of an earlier page' })
    return z.NEVER
  })
}

function written(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
