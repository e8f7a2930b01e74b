-- What is left of a pruned transaction: its reference and its attempt stay taken.
CREATE TABLE tombstones (
  environment    TEXT NOT NULL,
  base_url       TEXT NOT NULL,
  account_number TEXT NOT NULL,
  kind           TEXT NOT NULL,
  reference      TEXT NOT NULL,
  "group"        TEXT NOT NULL,
  attempt        INTEGER NOT NULL,
  outcome        TEXT NOT NULL,
  amount         TEXT NOT NULL,
  digest         TEXT NOT NULL,
  PRIMARY KEY (environment, base_url, account_number, kind, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_of ON tombstones (environment, base_url, account_number, kind, "group", attempt);

-- The gateway is never queried again about these rows.
CREATE INDEX transactions_ended ON transactions (environment, base_url, account_number, updated_at, id)
  WHERE due_at IS NULL;

-- Includes delivered events, which are deleted with their transaction.
DROP INDEX events_about;

CREATE INDEX events_about ON events (transaction_id, about, sequence);

-- 'copied': when a backup made this file; such a file is not used until it is recovered. 'recovered': when it was.
CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
