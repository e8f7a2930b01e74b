/** Lists in the order of the last change, page by page: `?outcome=&updated_since=&cursor=`. */

import type { Context } from 'hono'
import type { ListQuery, Transaction } from '../store.ts'
import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { invalid } from './problem.ts'

const PAGE_SIZE = 100

/** Where the last page ended. Opaque to the client. */
const Cursor = z.tuple([z.number().int(), z.string()])

const Query = z.object({
  outcome: z.string().max(32, 'must be at most 32 characters').optional(),
  updated_since: timestamp
    .optional()
    .transform((text) => (text === undefined ? undefined : Date.parse(text))),
  cursor: z
    .string()
    .transform((text) => Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString())))
    .refine((parsed) => parsed.success, 'must be the next_cursor of an earlier page')
    .transform((parsed) => parsed.data)
    .optional(),
})

export function readQuery(c: Context): ListQuery {
  const query = Query.safeParse(c.req.query())
  if (!query.success) {
    throw invalid(query.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
  }
  const { outcome, updated_since, cursor } = query.data
  const after = cursor && { updated_at: cursor[0], id: cursor[1] }
  return { outcome, updatedSince: updated_since, after, limit: PAGE_SIZE }
}

/** `next_cursor` is null at the end; what changes meanwhile comes again behind it. */
export function answerPage(c: Context, rows: Transaction[], show: (row: Transaction) => object): Response {
  const last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined
  const next_cursor = last
    ? Buffer.from(JSON.stringify([last.updated_at, last.id])).toString('base64url')
    : null
  return c.json({ items: rows.map(show), next_cursor })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
