-- Whether the personal data of a settled transaction were masked since its last change.
ALTER TABLE transactions ADD COLUMN masked INTEGER NOT NULL DEFAULT 0;

CREATE INDEX transactions_unmasked ON transactions (environment, base_url, account_number, updated_at, id)
  WHERE due_at IS NULL AND masked = 0 AND kind <> 'checkout';
