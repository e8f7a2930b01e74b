/** Lists transactions whose personal data are not masked, and replaces texts of transactions by masked texts. */

import type { Store } from '../../store.ts'
import type { Database } from './database.ts'
import { Rows, StoredEvents, WindowRow } from '../sqlite/rows.ts'
import { accountKey, IdRows } from './rows.ts'
import { ACCOUNT, EVENTS, KEPT, TRANSACTION, TRANSACTIONS } from './statements.ts'

type Masking = Pick<Store, 'listUnmasked' | 'listEventsOf' | 'mask' | 'findMentioning' | 'truncateLog'>

const LIST_UNMASKED = `
  SELECT ${TRANSACTION} FROM ${TRANSACTIONS} t
  WHERE ${ACCOUNT} AND ${KEPT} AND due_at IS NULL AND NOT masked AND kind <> 'checkout' AND updated_at < $2
    AND (updated_at, id) > ($3, $4)
    AND NOT EXISTS (SELECT 1 FROM ${EVENTS} WHERE transaction_id = t.id AND finished_at IS NULL)
  ORDER BY updated_at, id LIMIT $5`
const LIST_EVENTS_OF = `
  SELECT id, about, body, finished_at IS NOT NULL AS is_finished FROM ${EVENTS}
  WHERE transaction_id = $1 ORDER BY sequence`
const MARK_MASKED = `
  UPDATE ${TRANSACTIONS} SET masked = true WHERE id = $1 AND version = $2 AND ${KEPT} RETURNING id`
const MASK = `
  WITH saved AS (
    UPDATE ${TRANSACTIONS} SET record = $3, version = version + 1, masked = $4
    WHERE id = $1 AND version = $2 AND ${KEPT}
      AND NOT EXISTS (SELECT 1 FROM ${EVENTS} WHERE id = ANY ($7) AND finished_at IS NULL)
    RETURNING id),
  entries AS (
    UPDATE gateway_checkout.history h SET what = given.what
    FROM saved, unnest($5::text[], $6::text[]) AS given (was, what)
    WHERE h.transaction_id = saved.id AND h.what = given.was),
  events AS (
    UPDATE ${EVENTS} e SET about = given.about, body = given.body, last_answer = NULL
    FROM saved, unnest($7::text[], $8::text[], $9::text[]) AS given (id, about, body)
    WHERE e.id = given.id AND e.transaction_id = saved.id)
  SELECT id FROM saved`
const FIND_WINDOW = `
  SELECT max(id) AS last, count(*)::integer AS count
  FROM (SELECT id FROM ${TRANSACTIONS} WHERE ${ACCOUNT} AND ${KEPT} AND id > $2 ORDER BY id LIMIT $3) AS part`
const FIND_MENTIONING = `
  SELECT ${TRANSACTION} FROM ${TRANSACTIONS}
  WHERE ${ACCOUNT} AND ${KEPT} AND id > $2 AND id <= $3
    AND EXISTS (SELECT 1 FROM unnest($4::text[]) AS given (text) WHERE strpos(lower(record), given.text) > 0)`

export function createMasking(database: Database): Masking {
  return {
    async listUnmasked(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      return Rows.parse(
        await database.query(LIST_UNMASKED, [accountKey(account), before, updated_at, id, limit]),
      )
    },

    async listEventsOf(id) {
      return StoredEvents.parse(await database.query(LIST_EVENTS_OF, [id]))
    },

    async mask(id, version, masked) {
      if (masked === null) return isChanged(await database.query(MARK_MASKED, [id, version]))
      const { record, isComplete, history, events } = masked
      return isChanged(
        await database.query(MASK, [
          id,
          version,
          JSON.stringify(record),
          isComplete,
          history.map(({ was }) => was),
          history.map(({ what }) => what),
          events.map((event) => event.id),
          events.map(({ about }) => about),
          events.map(({ body }) => body),
        ]),
      )
    },

    async findMentioning(account, texts, after, limit) {
      const key = accountKey(account)
      const [part] = await database.query(FIND_WINDOW, [key, after, limit])
      const { last, count } = WindowRow.parse(part)
      if (last === null) return { rows: [], next: null }
      const found = await database.query(FIND_MENTIONING, [key, after, last, texts])
      return { rows: Rows.parse(found), next: count < limit ? null : last }
    },

    truncateLog: async () => true,
  }
}

function isChanged(rows: unknown[]): boolean {
  return IdRows.parse(rows).length > 0
}
