-- The id that correlates logs, requests and deliveries of a transaction. Older transactions have none.
ALTER TABLE transactions ADD COLUMN trace_id TEXT;

-- The row that the readiness check writes.
CREATE TABLE readiness (writes INTEGER NOT NULL) STRICT;

INSERT INTO readiness VALUES (0);
