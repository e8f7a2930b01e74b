CREATE TABLE transactions (
  id             TEXT PRIMARY KEY,
  kind           TEXT NOT NULL,
  environment    TEXT NOT NULL,
  base_url       TEXT NOT NULL,
  account_number TEXT NOT NULL,
  reference      TEXT NOT NULL,
  "group"        TEXT NOT NULL,
  attempt        INTEGER NOT NULL,
  version        INTEGER NOT NULL DEFAULT 1,
  outcome        TEXT NOT NULL,
  record         TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  due_at         INTEGER,
  sent_at        INTEGER NOT NULL,
  asked_at       INTEGER,
  failures       INTEGER NOT NULL DEFAULT 0,
  lease_until    INTEGER NOT NULL DEFAULT 0,
  UNIQUE (environment, base_url, account_number, kind, reference),
  UNIQUE (environment, base_url, account_number, kind, "group", attempt)
) STRICT;

CREATE INDEX transactions_due ON transactions (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX transactions_changed ON transactions (kind, updated_at, id);

CREATE TABLE history (
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  at             INTEGER NOT NULL,
  what           TEXT NOT NULL
) STRICT;

CREATE INDEX history_of ON history (transaction_id);

CREATE TABLE events (
  sequence       INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  type           TEXT NOT NULL,
  body           TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  due_at         INTEGER NOT NULL,
  failures       INTEGER NOT NULL DEFAULT 0,
  lease_until    INTEGER NOT NULL DEFAULT 0,
  finished_at    INTEGER,
  finish         TEXT
) STRICT;

CREATE INDEX events_open ON events (transaction_id, sequence) WHERE finished_at IS NULL;
