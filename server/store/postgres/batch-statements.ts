/** The SQL for the calls that `batches.ts` combines. Each statement handles several items, is atomic and takes one round trip. */

import { INSERT, TRANSACTION, TRANSACTION_WITHOUT_RECORD, TRANSACTIONS } from './statements.ts'

/**
 * SQL query: the items of a batch, from one array per column, with the item's `number` from 1.
 *
 * The condition is always true. Because of the condition, Postgres expects a single item, and therefore finds each row
 * by an index, even if the statement was prepared while the table was empty.
 */
const items = (arrays: string, columns: string) => `
  SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS item (${columns}, number) WHERE number BETWEEN 1 AND 1000`

/** SQL query: the rows that `query` finds for each item, with the number of the item. */
const ofEachItem = (arrays: string, columns: string, query: string) => `
  SELECT number, found.* FROM (${items(arrays, columns)}) AS item CROSS JOIN LATERAL (${query}) AS found`

/**
 * SQL condition: like `KEPT`, but written so that Postgres does not take one of the indexes of all kept rows. While these
 * indexes are small, Postgres would prefer to read one of them from its beginning to its end.
 */
const KEPT = `coalesce(digest, '') = ''`

/** SQL expression: the record, or NULL if `digest` is the digest of the record. */
const unlessKnown = (digest: string) =>
  `CASE WHEN encode(sha256(convert_to(record, 'UTF8')), 'hex') = ${digest} THEN NULL ELSE record END`

/** {@link TRANSACTION}, with the alias `t` of the table. */
const TRANSACTION_OF_T = TRANSACTION.replaceAll(/[\w"]+/g, 't.$&')

export const BATCH_STATEMENTS = {
  /** Inserts the transactions that violate no unique constraint, and returns their ids. */
  insert: `${INSERT} ON CONFLICT DO NOTHING RETURNING id`,
  /** Returns NULL instead of a record whose digest is given. */
  find: ofEachItem(
    '$1::text[], $2::text[]',
    'item_id, known',
    `SELECT ${TRANSACTION_WITHOUT_RECORD}, ${unlessKnown('known')} AS record FROM ${TRANSACTIONS}
      WHERE id = item_id AND ${KEPT} ORDER BY id LIMIT 1`,
  ),
  /** The range and the order lead Postgres to the index of references, also while the table is empty. */
  findByReference: ofEachItem(
    '$1::text[], $2::text[], $3::text[]',
    'item_account, item_kind, item_reference',
    `SELECT ${TRANSACTION} FROM ${TRANSACTIONS}
      WHERE account = item_account AND kind = item_kind AND reference BETWEEN item_reference AND item_reference AND ${KEPT}
      ORDER BY reference LIMIT 1`,
  ),
  list: ofEachItem(
    '$1::text[], $2::text[], $3::text[]',
    'item_account, item_kind, item_group',
    `SELECT ${TRANSACTION} FROM ${TRANSACTIONS}
      WHERE account = item_account AND kind = item_kind AND "group" = item_group AND ${KEPT} ORDER BY attempt`,
  ),
  /**
   * Updates each transaction that has the given version, and adds its history entry. Skips transactions that another
   * statement has locked, so that no call waits for the lock of another call's transaction.
   */
  commit: `
    WITH item AS (${items(
      `$1::text[], $2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::boolean[], $7::bigint[], $8::text[],
    $9::bigint[], $10::bigint[], $11::integer[], $12::bigint[], $13::text[], $14::text[]`,
      'id, version, step, new_record, new_updated_at, is_due_new, new_due_at, new_outcome, new_sent_at, new_asked_at, new_failures, at, what, known',
    )}),
    free AS MATERIALIZED (
      SELECT item.* FROM item JOIN ${TRANSACTIONS} t ON t.id = item.id AND t.version = item.version
      FOR UPDATE OF t SKIP LOCKED),
    saved AS (
      UPDATE ${TRANSACTIONS} t SET version = t.version + step, record = coalesce(new_record, record),
        updated_at = coalesce(new_updated_at, updated_at), due_at = CASE WHEN is_due_new THEN new_due_at ELSE due_at END,
        outcome = coalesce(new_outcome, outcome), sent_at = coalesce(new_sent_at, sent_at),
        asked_at = coalesce(new_asked_at, asked_at), failures = coalesce(new_failures, failures),
        lease_until = 0, masked = masked AND new_record IS NULL
      FROM free WHERE t.id = free.id AND t.version = free.version
      RETURNING ${TRANSACTION_OF_T}, new_record, known, at, what),
    entry AS (
      INSERT INTO gateway_checkout.history (transaction_id, at, what)
      SELECT id, at, what FROM saved WHERE what IS NOT NULL)
    SELECT ${TRANSACTION_WITHOUT_RECORD}, CASE WHEN new_record IS NULL THEN ${unlessKnown('known')} END AS record
    FROM saved`,
} as const
