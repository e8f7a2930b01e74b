CREATE TABLE transactions (
  id             TEXT PRIMARY KEY,
  kind           TEXT NOT NULL,
  account        TEXT NOT NULL,
  reference      TEXT NOT NULL,
  "group"        TEXT NOT NULL,
  -- The form of "group" in which look-alike references are equal.
  alike          TEXT NOT NULL,
  attempt        INTEGER NOT NULL,
  version        INTEGER NOT NULL DEFAULT 1,
  outcome        TEXT NOT NULL,
  record         TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  due_at         INTEGER,
  sent_at        INTEGER,
  asked_at       INTEGER,
  requested_at   INTEGER,
  failures       INTEGER NOT NULL DEFAULT 0,
  lease_until    INTEGER NOT NULL DEFAULT 0,
  -- The id that correlates logs, requests and deliveries of a transaction.
  trace_id       TEXT,
  -- Whether the personal data of a settled transaction were masked since its last change.
  masked         INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, kind, reference),
  UNIQUE (account, kind, "group", attempt)
) STRICT;

-- With the times by which a row is scheduled: a row that lies ahead of the clock is found in the index alone.
CREATE INDEX transactions_due_at
  ON transactions (account, due_at, updated_at, asked_at, requested_at)
  WHERE due_at IS NOT NULL;

CREATE INDEX transactions_alike ON transactions (alike, account, kind);

CREATE INDEX transactions_leased ON transactions (account, lease_until)
  WHERE lease_until > 0;

-- After an outage of the gateway, transactions whose last query failed are brought forward.
CREATE INDEX transactions_failed ON transactions (account, due_at)
  WHERE failures > 0 AND due_at IS NOT NULL;

CREATE INDEX transactions_changed ON transactions (account, kind, updated_at, id);

-- Lists filter by outcome: a rare one must not walk all rows.
CREATE INDEX transactions_outcome
  ON transactions (account, kind, outcome, updated_at, id);

-- The gateway is never queried again about these rows.
CREATE INDEX transactions_ended ON transactions (account, updated_at, id)
  WHERE due_at IS NULL;

CREATE INDEX transactions_unmasked ON transactions (account, updated_at, id)
  WHERE due_at IS NULL AND masked = 0 AND kind <> 'checkout';

-- What is left of a pruned transaction: its reference and its attempt stay taken.
CREATE TABLE tombstones (
  account        TEXT NOT NULL,
  kind           TEXT NOT NULL,
  reference      TEXT NOT NULL,
  "group"        TEXT NOT NULL,
  attempt        INTEGER NOT NULL,
  outcome        TEXT NOT NULL,
  amount         TEXT NOT NULL,
  digest         TEXT NOT NULL,
  PRIMARY KEY (account, kind, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_of ON tombstones (account, kind, "group", attempt);

CREATE TABLE history (
  sequence       INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  at             INTEGER NOT NULL,
  what           TEXT NOT NULL
) STRICT;

CREATE INDEX history_of ON history (transaction_id);

CREATE TABLE events (
  sequence       INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  account        TEXT NOT NULL,
  about          TEXT NOT NULL DEFAULT '',
  type           TEXT NOT NULL,
  body           TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  due_at         INTEGER NOT NULL,
  failures       INTEGER NOT NULL DEFAULT 0,
  finished_at    INTEGER,
  finish         TEXT,
  -- What the backend answered to the last delivery: the HTTP status, and the beginning of the body.
  last_status    INTEGER,
  last_answer    TEXT
) STRICT;

CREATE INDEX events_next ON events (transaction_id, about, sequence) WHERE finished_at IS NULL;

-- Includes delivered events, which are deleted with their transaction.
CREATE INDEX events_about ON events (transaction_id, about, sequence);

-- One row for each part of a transaction (`about`) with undelivered events: an index look-up finds the next event.
CREATE TABLE outbox (
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  about          TEXT NOT NULL,
  account        TEXT NOT NULL,
  -- Whether a delivery of the next event has failed before.
  is_retry       INTEGER NOT NULL DEFAULT 0,
  -- When the next event may be claimed: when it is due, after the lease.
  due_at         INTEGER NOT NULL,
  lease_until    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (transaction_id, about)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_due ON outbox (account, is_retry, due_at);

-- The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never pruned.
CREATE TABLE order_marks (
  account        TEXT NOT NULL,
  "order"        TEXT NOT NULL,
  issued_at      INTEGER NOT NULL,
  digest         TEXT NOT NULL,
  PRIMARY KEY (account, "order")
) STRICT, WITHOUT ROWID;

-- The prompts of a day, which are counted before the next is sent (limits/prompts.ts). Phone and network are fingerprints.
CREATE TABLE prompts (
  account        TEXT NOT NULL,
  phone          TEXT NOT NULL,
  network        TEXT,
  "order"        TEXT NOT NULL,
  at             INTEGER NOT NULL
) STRICT;

CREATE INDEX prompts_phone ON prompts (account, phone, at);

CREATE INDEX prompts_order ON prompts (account, "order", at);

CREATE INDEX prompts_network ON prompts (account, network, at, phone);

CREATE INDEX prompts_at ON prompts (account, at, phone);

-- The account numbers at the gateway by which the merchant of an account is known, as a JSON array.
CREATE TABLE merchants (
  account TEXT PRIMARY KEY,
  numbers TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- 'copied': when a backup made this file; such a file is not used until it is recovered. 'recovered': when it was.
-- 'store': a random number below 2 ** 53, which tells this store from others.
CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO marks VALUES ('store', abs(random() % 9007199254740992));

-- The row that the readiness check writes.
CREATE TABLE readiness (writes INTEGER NOT NULL) STRICT;

INSERT INTO readiness VALUES (0);
