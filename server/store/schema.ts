/**
 * The tables of both databases. Postgres has two more, `migrations` and `origin`, which are not about transactions, and
 * which its dialect creates (`postgres/dialect.ts`). Until the first release, this text is edited in place.
 */

import { z } from 'zod'

import { aheadOf, claimableAt } from './sql/fragments.ts'
import { BOOKING_ORDER, FOUND, FOUND_BY, MOVEMENT_ORDER } from './sql/movement-search.ts'

import type { Dialect } from './dialect.ts'
import type { Work } from './driver.ts'

/** After the first release, a change of the tables is a further list of statements with a higher version. */
const VERSION = 1

const VersionRows = z.tuple([z.object({ version: z.number() })])

/**
 * Creates the tables, if the database is new.
 *
 * @throws {Error} if a newer version of this server has written the database. The drivers complete its sentence.
 */
export function* migrate(dialect: Dialect): Work<void> {
  const [{ version }] = VersionRows.parse(yield [dialect.findVersion])
  if (version > VERSION) {
    throw new Error(
      `a newer version wrote it (schema ${version}, this one knows ${VERSION}). Upgrade, or use another STORE_URL`,
    )
  }
  if (version === VERSION) {
    return
  }

  for (const statement of schemaOf(dialect)) {
    yield [statement]
  }

  yield [dialect.saveVersion(VERSION)]
}

/** Returns the statements that create the tables. */
function schemaOf(dialect: Dialect): string[] {
  const { schema, types, options, random } = dialect
  const { key, large, serialKey } = types

  // The name of an index begins with that of its table.
  const index = (name: string, columns: string, where = '') => {
    const [table] = name.split('_')
    return `CREATE INDEX ${name} ON ${schema}${table} (${columns}) ${where && `WHERE ${where}`}`
  }

  return [
    // `reference_key` and `group_key` are the keys of `reference` and `group`, in which case does not count. Rows are
    // unique and found by them. `group_key` comes first in its index: Postgres would otherwise take that index for
    // look-ups by account, kind and reference that were prepared while the table was empty.
    // `record` is JSON as text: a damaged record fails alone, and it may hold the escape \u0000, which Postgres's jsonb
    // refuses. `personal` are the encrypted personal data of the record. `history` has a line of JSON for each entry: a
    // commit appends to the row that it changes, and writes no row and no key of another table. Only a tombstone has
    // `amount` and `digest`: the row of a pruned transaction, which keeps its reference and its attempt taken.
    `CREATE TABLE ${schema}transactions (
      id ${key} PRIMARY KEY, kind ${key} NOT NULL, account ${key} NOT NULL, reference ${key} NOT NULL,
      reference_key ${key} NOT NULL, "group" ${key} NOT NULL, group_key ${key} NOT NULL, attempt integer NOT NULL,
      version integer NOT NULL DEFAULT 1, revision integer NOT NULL DEFAULT 1,
      outcome ${key} NOT NULL, record text NOT NULL, history text NOT NULL DEFAULT '',
      created_at ${large} NOT NULL, updated_at ${large} NOT NULL, due_at ${large}, sent_at ${large},
      recovered_at ${large}, asked_at ${large}, requested_at ${large}, requested_revision integer,
      failures integer NOT NULL DEFAULT 0,
      lease_until ${large} NOT NULL DEFAULT 0, trace_id text, personal text, amount text, digest text,
      UNIQUE (account, kind, reference_key), UNIQUE (group_key, account, kind, attempt)) ${options}`,
    index('transactions_due', `account, (${claimableAt(dialect)})`, 'due_at IS NOT NULL'),
    // Finds the rows that lie ahead of a clock that has jumped back.
    index('transactions_ahead', `account, (${aheadOf(dialect)})`, 'due_at IS NOT NULL'),
    // After an outage of the gateway, transactions whose last query failed are brought forward.
    index('transactions_failed', 'account, due_at', 'failures > 0 AND due_at IS NOT NULL'),
    index('transactions_changed', 'account, kind, updated_at, id', 'digest IS NULL'),
    // Lists filter by outcome: a rare one must not walk all rows.
    index('transactions_outcome', 'account, kind, outcome, updated_at, id', 'digest IS NULL'),
    // The gateway is never queried again about these rows.
    index('transactions_ended', 'account, updated_at, id', 'due_at IS NULL AND digest IS NULL'),
    // Personal data are erased from these rows. Only such rows are in it: one that is still queried changes often.
    index(
      'transactions_personal',
      'account, kind, updated_at, id',
      'due_at IS NULL AND personal IS NOT NULL',
    ),

    // `queue` is 'events' before the first delivery, and 'retries' after a failed one. It is null if the event is
    // finished, or waits for an older one of the same transaction and `about`. `finish` then says how. `due_at` is when
    // the event may be claimed: when it is due, or after its lease. `last_status` and the beginning of the body,
    // `last_answer`, are what the backend answered to the last delivery.
    `CREATE TABLE ${schema}events (
      sequence ${serialKey}, id ${key} NOT NULL UNIQUE, transaction_id ${key} NOT NULL,
      account ${key} NOT NULL, about ${key} NOT NULL, type text NOT NULL, body text NOT NULL,
      created_at ${large} NOT NULL, queue ${key}, due_at ${large} NOT NULL, lease_until ${large} NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0, finished_at ${large}, finish text,
      last_status integer, last_answer text) ${options}`,
    // Delivered events are not in these two indexes, so that any number of them slows no delivery.
    index('events_due', 'account, queue, due_at', 'queue IS NOT NULL'),
    index('events_unfinished', 'transaction_id, about, sequence', 'finished_at IS NULL'),
    index('events_of', 'transaction_id, sequence'),

    // What people are told of events (notices/), each reader by each way. A row holds nothing of a payer. `due_at` is
    // when it may be claimed: when it is due, or after its lease. It is null once `finish` says what became of the row.
    `CREATE TABLE ${schema}notices (
      id ${key} PRIMARY KEY, transaction_id ${key} NOT NULL, account ${key} NOT NULL, way ${key} NOT NULL,
      reader text NOT NULL, type text NOT NULL, came text NOT NULL, went text NOT NULL, held text NOT NULL,
      created_at ${large} NOT NULL, due_at ${large}, finish text,
      failures integer NOT NULL DEFAULT 0, unanswered integer NOT NULL DEFAULT 0) ${options}`,
    // Notices that were told are not in this index, so that any number of them slows no other.
    index('notices_due', 'account, way, due_at', 'due_at IS NOT NULL'),
    index('notices_of', 'transaction_id'),
    // The movements of money, one row for each payment, payout or recipient of airtime and each end of it, and each
    // correction (store/bookings.ts). `booked` is what it adds to the day of `booked_at`, and `corrects` the
    // `booked_at` of what it corrects. `order_key` is null of a correction, and once the data by which it is found were
    // erased. `phone` and `ends` are fingerprints of the number and of its last four digits; `key` is the id of the key
    // that made them.
    `CREATE TABLE ${schema}movements (
      transaction_id ${key} NOT NULL, part ${key} NOT NULL, moved ${key} NOT NULL,
      account ${key} NOT NULL, kind ${key} NOT NULL, at ${large} NOT NULL, amount ${key} NOT NULL,
      booked ${key} NOT NULL, booked_at ${large} NOT NULL, corrects ${large}, currency ${key} NOT NULL, service ${key}, operator ${key},
      receipt ${key}, order_key ${key}, phone ${key}, ends ${key}, key ${key},
      PRIMARY KEY (transaction_id, part, moved, currency, booked_at)) ${options}`,
    index('movements_booked', `account, ${BOOKING_ORDER}`),
    index('movements_at', `account, ${MOVEMENT_ORDER}`, FOUND),
    // Each begins with its own column, as `group_key` does above.
    ...FOUND_BY.map((column) =>
      index(
        `movements_${column}`,
        `${column}, account, ${MOVEMENT_ORDER}`,
        `${FOUND} AND ${column} IS NOT NULL`,
      ),
    ),
    index('movements_key', 'account, key, at', 'key IS NOT NULL'),

    // The payments that were counted, by their ids, each for one transaction. Never pruned: the row of a transaction that
    // was pruned stays, too.
    `CREATE TABLE ${schema}counted_payments (
      account ${key} NOT NULL, payment ${key} NOT NULL, transaction_id ${key} NOT NULL,
      PRIMARY KEY (account, payment)) ${options}`,

    // The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never
    // pruned. `order` is the key of the reference.
    `CREATE TABLE ${schema}order_marks (
      account ${key} NOT NULL, "order" ${key} NOT NULL, issued_at ${large} NOT NULL, digest text NOT NULL,
      PRIMARY KEY (account, "order")) ${options}`,
    // The prompts of a day, which are counted before the next is sent (rate-limits/prompts.ts). Phone and network are
    // fingerprints, and `order` is the key of the reference.
    `CREATE TABLE ${schema}prompts (
      account ${key} NOT NULL, phone ${key} NOT NULL, network ${key}, "order" ${key} NOT NULL, at ${large} NOT NULL) ${options}`,
    index('prompts_phone', 'account, phone, at'),
    index('prompts_order', 'account, "order", at'),
    index('prompts_network', 'account, network, at, phone'),
    index('prompts_at', 'account, at, phone'),
    // The reusable links. `terms` is JSON as text.
    `CREATE TABLE ${schema}links (
      sequence ${serialKey}, account ${key} NOT NULL, id ${key} NOT NULL UNIQUE, terms text NOT NULL,
      created_at ${large} NOT NULL, closed_at ${large}) ${options}`,
    index('links_of', 'account, sequence'),
    // The presses of a day, each of which makes an order of a link (rate-limits/presses.ts). `network` is a fingerprint,
    // `choice` JSON as text, and `personal` the encrypted answer of the payer.
    `CREATE TABLE ${schema}presses (
      account ${key} NOT NULL, "order" ${key} NOT NULL, link ${key} NOT NULL, network ${key}, at ${large} NOT NULL,
      choice text NOT NULL, personal text, PRIMARY KEY (account, "order")) ${options}`,
    index('presses_link', 'account, link, at'),
    index('presses_network', 'account, link, network, at'),
    index('presses_at', 'account, at'),
    // The account numbers at the gateway by which the merchant of an account is known, as a JSON array.
    `CREATE TABLE ${schema}merchants (account ${key} PRIMARY KEY, numbers text NOT NULL) ${options}`,
    // 'copied' is the time at which a backup made this SQLite file; such a file is not used until it is recovered.
    // 'recovered' is the time at which `recover` last ran, 'compared' the time of `recover --compared`. 'store' is a
    // random number, which tells this store from others.
    `CREATE TABLE ${schema}marks (name ${key} PRIMARY KEY, value ${large} NOT NULL) ${options}`,
    `INSERT INTO ${schema}marks VALUES ('store', ${random})`,
    // The row that the readiness check writes: a database that is read-only or on a full disk can still be read.
    `CREATE TABLE ${schema}readiness (writes integer NOT NULL) ${options}`,
    `INSERT INTO ${schema}readiness VALUES (0)`,
  ]
}
