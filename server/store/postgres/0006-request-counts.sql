-- One row per limited client or phone number: how many of its requests all processes have counted in the current time
-- window, which ends at "expire", in milliseconds since the Unix epoch. The key is a keyed digest. The names and the
-- order of the columns are those of rate-limiter-flexible. Unlogged, because nothing is lost with the table.
CREATE UNLOGGED TABLE gateway_checkout.request_counts (
  key    text COLLATE "C" PRIMARY KEY,
  points integer NOT NULL,
  expire bigint NOT NULL
) WITH (fillfactor = 50);
