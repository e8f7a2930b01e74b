/** The tables of both databases. Until the first release, this text is edited in place. */

import type { Dialect } from './dialect.ts'
import { aheadOf, claimableAt } from './statements.ts'

/** A database of another version is refused. After the first release, a change is a further text with a higher version. */
export const SCHEMA_VERSION = 1

/** Returns the SQL that creates the tables. */
export function schemaOf(dialect: Dialect): string {
  const { schema, types, neverAgain, options, random } = dialect
  const { key, large, number } = types
  return `
CREATE TABLE ${schema}transactions (
  id           ${key} PRIMARY KEY,
  kind         ${key} NOT NULL,
  account      ${key} NOT NULL,
  reference    ${key} NOT NULL,
  "group"      ${key} NOT NULL,
  -- The form of "group" in which look-alike references are equal.
  alike        ${key} NOT NULL,
  attempt      integer NOT NULL,
  version      integer NOT NULL DEFAULT 1,
  outcome      ${key} NOT NULL,
  -- JSON as text: a damaged record fails alone, and a record may hold the escape \\u0000, which Postgres's jsonb refuses.
  record       text NOT NULL,
  created_at   ${large} NOT NULL,
  updated_at   ${large} NOT NULL,
  due_at       ${large},
  sent_at      ${large},
  asked_at     ${large},
  requested_at ${large},
  failures     integer NOT NULL DEFAULT 0,
  lease_until  ${large} NOT NULL DEFAULT 0,
  trace_id     text,
  -- 1 if the personal data of a settled transaction were masked since its last change.
  masked       integer NOT NULL DEFAULT 0,
  -- Only of a pruned transaction, a tombstone, whose row keeps its reference and its attempt taken.
  amount       text,
  digest       text,
  UNIQUE (account, kind, reference),
  UNIQUE (account, kind, "group", attempt)
) ${options};

CREATE INDEX transactions_due ON ${schema}transactions (account, (${claimableAt(dialect)})) WHERE due_at IS NOT NULL;
-- Finds the rows that lie ahead of a clock that has jumped back.
CREATE INDEX transactions_ahead ON ${schema}transactions (account, (${aheadOf(dialect)})) WHERE due_at IS NOT NULL;
-- After an outage of the gateway, transactions whose last query failed are brought forward.
CREATE INDEX transactions_failed ON ${schema}transactions (account, due_at) WHERE failures > 0 AND due_at IS NOT NULL;
CREATE INDEX transactions_alike ON ${schema}transactions (alike, account, kind);
CREATE INDEX transactions_changed ON ${schema}transactions (account, kind, updated_at, id) WHERE digest IS NULL;
-- Lists filter by outcome: a rare one must not walk all rows.
CREATE INDEX transactions_outcome ON ${schema}transactions (account, kind, outcome, updated_at, id)
  WHERE digest IS NULL;
-- The gateway is never queried again about these rows.
CREATE INDEX transactions_ended ON ${schema}transactions (account, updated_at, id)
  WHERE due_at IS NULL AND digest IS NULL;
CREATE INDEX transactions_unmasked ON ${schema}transactions (account, updated_at, id)
  WHERE due_at IS NULL AND masked = 0 AND kind <> 'checkout' AND digest IS NULL;

CREATE TABLE ${schema}history (
  sequence       ${number},
  transaction_id ${key} NOT NULL,
  at             ${large} NOT NULL,
  what           text NOT NULL
) ${options};

CREATE INDEX history_of ON ${schema}history (transaction_id, sequence);

CREATE TABLE ${schema}events (
  sequence       ${number} ${neverAgain},
  id             ${key} NOT NULL UNIQUE,
  transaction_id ${key} NOT NULL,
  account        ${key} NOT NULL,
  about          ${key} NOT NULL,
  type           text NOT NULL,
  body           text NOT NULL,
  created_at     ${large} NOT NULL,
  -- The queue of the event; null if it is finished, or waits for an older one of the same transaction and \`about\`.
  queue          ${key},
  -- When the event may be claimed: when it is due, or after its lease.
  due_at         ${large} NOT NULL,
  lease_until    ${large} NOT NULL DEFAULT 0,
  failures       integer NOT NULL DEFAULT 0,
  finished_at    ${large},
  finish         text,
  -- What the backend answered to the last delivery: the HTTP status, and the beginning of the body.
  last_status    integer,
  last_answer    text
) ${options};

-- Delivered events are not in these two indexes, so that any number of them slows no delivery.
CREATE INDEX events_due ON ${schema}events (account, queue, due_at) WHERE queue IS NOT NULL;
CREATE INDEX events_unfinished ON ${schema}events (transaction_id, about, sequence) WHERE finished_at IS NULL;
CREATE INDEX events_of ON ${schema}events (transaction_id, sequence);

-- The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never pruned.
CREATE TABLE ${schema}order_marks (
  account   ${key} NOT NULL,
  "order"   ${key} NOT NULL,
  issued_at ${large} NOT NULL,
  digest    text NOT NULL,
  PRIMARY KEY (account, "order")
) ${options};

-- The account numbers at the gateway by which the merchant of an account is known, as a JSON array.
CREATE TABLE ${schema}merchants (
  account ${key} PRIMARY KEY,
  numbers text NOT NULL
) ${options};

-- 'copied': when a backup made this SQLite file; such a file is not used until it is recovered. 'recovered': when the
-- database was. 'store': a random number, which tells this store from others.
CREATE TABLE ${schema}marks (
  name ${key} PRIMARY KEY,
  at   ${large} NOT NULL
) ${options};

INSERT INTO ${schema}marks VALUES ('store', ${random});

-- The row that the readiness check writes: a database that is read-only or on a full disk can still be read.
CREATE TABLE ${schema}readiness (writes integer NOT NULL) ${options};

INSERT INTO ${schema}readiness VALUES (0);`
}
