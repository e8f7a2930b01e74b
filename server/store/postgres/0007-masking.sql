-- Whether the personal data of a settled transaction were masked since its last change.
ALTER TABLE gateway_checkout.transactions ADD COLUMN masked boolean NOT NULL DEFAULT false;

CREATE INDEX transactions_unmasked ON gateway_checkout.transactions (account, updated_at, id)
  WHERE due_at IS NULL AND NOT masked AND kind <> 'checkout' AND digest IS NULL;
