-- After an outage of the gateway, transactions whose last query failed are brought forward.
CREATE INDEX transactions_failed ON gateway_checkout.transactions (account, due_at)
  WHERE failures > 0 AND due_at IS NOT NULL;
