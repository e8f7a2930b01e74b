-- One row per merchant account: how many requests its processes may send to the gateway. Unlogged, because each taken
-- token changes the row and nothing is lost with it: after a crash of the server, the table is empty.
CREATE UNLOGGED TABLE gateway_checkout.budget (
  account  text COLLATE "C" PRIMARY KEY,
  shared   double precision NOT NULL,
  reserved double precision NOT NULL,
  at       timestamptz NOT NULL
) WITH (fillfactor = 10);
