DROP INDEX IF EXISTS transactions_due;

CREATE INDEX transactions_due_at ON transactions (environment, base_url, account_number, due_at)
  WHERE due_at IS NOT NULL;

CREATE INDEX transactions_leased ON transactions (environment, base_url, account_number, lease_until)
  WHERE lease_until > 0;
