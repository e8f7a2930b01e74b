-- The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never pruned.
CREATE TABLE order_marks (
  environment    TEXT NOT NULL,
  base_url       TEXT NOT NULL,
  account_number TEXT NOT NULL,
  "order"        TEXT NOT NULL,
  issued_at      INTEGER NOT NULL,
  digest         TEXT NOT NULL,
  PRIMARY KEY (environment, base_url, account_number, "order")
) STRICT, WITHOUT ROWID;
