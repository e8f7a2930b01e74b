-- One row for each transaction with undelivered events: an index look-up finds the next event.
CREATE TABLE outbox (
  transaction_id TEXT PRIMARY KEY REFERENCES transactions (id),
  environment    TEXT NOT NULL,
  base_url       TEXT NOT NULL,
  account_number TEXT NOT NULL,
  -- Whether a delivery of the next event has failed before.
  is_retry       INTEGER NOT NULL DEFAULT 0,
  -- When the next event may be claimed: when it is due, after the pause and the lease.
  due_at         INTEGER NOT NULL,
  -- End of the pause after a failed delivery.
  hold_until     INTEGER NOT NULL DEFAULT 0,
  lease_until    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_due ON outbox (environment, base_url, account_number, is_retry, due_at);

INSERT INTO outbox
SELECT t.id, t.environment, t.base_url, t.account_number, max(e.failures > 0),
  max(min(e.due_at), coalesce(p.until, 0), max(e.lease_until)), coalesce(p.until, 0), max(e.lease_until)
FROM events e JOIN transactions t ON t.id = e.transaction_id LEFT JOIN pauses p ON p.transaction_id = t.id
WHERE e.finished_at IS NULL
GROUP BY t.id;

DROP TABLE pauses;

ALTER TABLE events DROP COLUMN lease_until;

-- Lists filter by outcome: a rare one must not walk all rows.
DROP INDEX transactions_changed;

CREATE INDEX transactions_changed ON transactions (environment, base_url, account_number, kind, updated_at, id);

CREATE INDEX transactions_by_outcome
  ON transactions (environment, base_url, account_number, kind, outcome, updated_at, id);
