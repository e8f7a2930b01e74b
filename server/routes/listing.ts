/** Lists in the order of the last change, page by page: `?outcome=&updated_since=&cursor=`. */

import type { Context } from 'hono'
import type { Log } from '../log.ts'
import type { ListQuery, Transaction } from '../store.ts'
import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { invalidIssues } from './problem.ts'

export const PAGE_SIZE = 100

/** Where the last page ended. Opaque to the client. */
const Position = z.tuple([z.int().min(0), z.string()])
const Sequence = z.int().min(0)

const RULE = 'must be the next_cursor of an earlier page'

export const listQuery = (outcomes: readonly string[]) =>
  z.object({
    outcome: z.enum(outcomes, `must be one of ${outcomes.join(', ')}`).optional(),
    updated_since: timestamp.optional(),
    cursor: cursor(Position).optional(),
  })
export const EventQuery = z.object({ cursor: cursor(Sequence).default(0) })

export const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable().describe('Null at the end.') })

export function readQuery(c: Context, outcomes: readonly string[]): ListQuery {
  const query = listQuery(outcomes).safeParse(c.req.query())
  if (!query.success) throw invalidIssues(query.error.issues)
  const { outcome, updated_since, cursor: position } = query.data
  return {
    outcome,
    updatedSince: updated_since === undefined ? undefined : Date.parse(updated_since),
    after: position && { updated_at: position[0], id: position[1] },
    limit: PAGE_SIZE,
  }
}

/** Of an append-only list: behind which entry. */
export function readSequence(c: Context): number {
  const query = EventQuery.safeParse(c.req.query())
  if (!query.success) throw invalidIssues(query.error.issues)
  return query.data.cursor
}

export function sequenceCursor(sequence: number): string {
  return written(sequence)
}

/**
 * `next_cursor` is null at the end; what changes meanwhile comes again behind it. A record that cannot be read is
 * left out, named in the log, and keeps nobody from the others.
 */
export function answerPage(
  c: Context,
  rows: Transaction[],
  show: (row: Transaction) => object,
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
  return c.json({ items, next_cursor: last ? written([last.updated_at, last.id]) : null })
}

function cursor<Place>(place: z.ZodType<Place>) {
  return z.string().transform((text, context): Place => {
    const read = place.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (read.success) return read.data
    context.addIssue({ code: 'custom', message: RULE })
    return z.NEVER
  })
}

function written(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
