ALTER TABLE events ADD COLUMN about TEXT NOT NULL DEFAULT '';

DROP INDEX events_open;

CREATE INDEX events_next ON events (transaction_id, due_at, sequence) WHERE finished_at IS NULL;

CREATE INDEX events_about ON events (transaction_id, about, sequence) WHERE finished_at IS NULL;

CREATE TABLE pauses (
  transaction_id TEXT PRIMARY KEY REFERENCES transactions (id),
  until          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
