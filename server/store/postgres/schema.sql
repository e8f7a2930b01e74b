-- Indexed text has the collation "C": an index in the system's collation breaks when its C library is upgraded.
CREATE TABLE gateway_checkout.transactions (
  id             text COLLATE "C" PRIMARY KEY,
  kind           text COLLATE "C" NOT NULL,
  account        text COLLATE "C" NOT NULL,
  reference      text COLLATE "C" NOT NULL,
  "group"        text COLLATE "C" NOT NULL,
  -- The form of "group" in which look-alike references are equal.
  alike          text COLLATE "C" NOT NULL,
  attempt        integer NOT NULL,
  version        integer NOT NULL DEFAULT 1,
  outcome        text COLLATE "C" NOT NULL,
  -- Text, not jsonb: a damaged record fails alone, and a record may hold the escape \u0000, which jsonb refuses.
  record         text NOT NULL,
  created_at     bigint NOT NULL,
  updated_at     bigint NOT NULL,
  due_at         bigint,
  sent_at        bigint,
  asked_at       bigint,
  requested_at   bigint,
  failures       integer NOT NULL DEFAULT 0,
  lease_until    bigint NOT NULL DEFAULT 0,
  trace_id       text,
  -- Whether the personal data of a settled transaction were masked since its last change.
  masked         boolean NOT NULL DEFAULT false,
  -- Only of a pruned transaction, whose row keeps its reference and its attempt taken.
  amount         text,
  digest         text,
  UNIQUE (account, kind, reference),
  UNIQUE (account, kind, "group", attempt)
);

CREATE INDEX transactions_due ON gateway_checkout.transactions
  (account, (greatest(due_at, lease_until))) WHERE due_at IS NOT NULL;

CREATE INDEX transactions_alike ON gateway_checkout.transactions (alike, account, kind);

-- After an outage of the gateway, transactions whose last query failed are brought forward.
CREATE INDEX transactions_failed ON gateway_checkout.transactions (account, due_at)
  WHERE failures > 0 AND due_at IS NOT NULL;

CREATE INDEX transactions_changed ON gateway_checkout.transactions
  (account, kind, updated_at, id) WHERE digest IS NULL;

CREATE INDEX transactions_outcome ON gateway_checkout.transactions
  (account, kind, outcome, updated_at, id) WHERE digest IS NULL;

-- The gateway is never queried again about these rows.
CREATE INDEX transactions_ended ON gateway_checkout.transactions (account, updated_at, id)
  WHERE due_at IS NULL AND digest IS NULL;

CREATE INDEX transactions_unmasked ON gateway_checkout.transactions (account, updated_at, id)
  WHERE due_at IS NULL AND NOT masked AND kind <> 'checkout' AND digest IS NULL;

-- Rows of history and events are only written in one statement with their transaction, so they need no foreign key.
CREATE TABLE gateway_checkout.history (
  transaction_id text COLLATE "C" NOT NULL,
  sequence       bigint GENERATED ALWAYS AS IDENTITY,
  at             bigint NOT NULL,
  what           text NOT NULL,
  PRIMARY KEY (transaction_id, sequence)
);

CREATE TABLE gateway_checkout.events (
  sequence       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id             text COLLATE "C" NOT NULL UNIQUE,
  transaction_id text COLLATE "C" NOT NULL,
  account        text COLLATE "C" NOT NULL,
  about          text COLLATE "C" NOT NULL DEFAULT '',
  type           text NOT NULL,
  body           text NOT NULL,
  created_at     bigint NOT NULL,
  due_at         bigint NOT NULL,
  failures       integer NOT NULL DEFAULT 0,
  finished_at    bigint,
  finish         text,
  -- What the backend answered to the last delivery: the HTTP status, and the beginning of the body.
  last_status    integer,
  last_answer    text
);

CREATE INDEX events_next ON gateway_checkout.events (transaction_id, about, sequence) WHERE finished_at IS NULL;

CREATE INDEX events_about ON gateway_checkout.events (transaction_id, about, sequence);

-- One narrow row for each part of a transaction (`about`) that ever had an event: when its next event may be delivered.
CREATE TABLE gateway_checkout.outbox (
  transaction_id text COLLATE "C" NOT NULL,
  about          text COLLATE "C" NOT NULL,
  account        text COLLATE "C" NOT NULL,
  -- Whether a delivery of the next event has failed before.
  is_retry       boolean NOT NULL DEFAULT false,
  -- When the next event is due; null: there is none.
  due_at         bigint,
  lease_until    bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (transaction_id, about)
);

CREATE INDEX outbox_due ON gateway_checkout.outbox
  (account, is_retry, (greatest(due_at, lease_until))) WHERE due_at IS NOT NULL;

-- The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never pruned.
CREATE TABLE gateway_checkout.order_marks (
  account   text COLLATE "C" NOT NULL,
  "order"   text COLLATE "C" NOT NULL,
  issued_at bigint NOT NULL,
  digest    text NOT NULL,
  PRIMARY KEY (account, "order")
);

-- The prompts of a day, which are counted before the next is sent (limits/prompts.ts). Phone and network are fingerprints.
CREATE TABLE gateway_checkout.prompts (
  account text COLLATE "C" NOT NULL,
  phone   text COLLATE "C" NOT NULL,
  network text COLLATE "C",
  "order" text COLLATE "C" NOT NULL,
  at      bigint NOT NULL
);

CREATE INDEX prompts_phone ON gateway_checkout.prompts (account, phone, at);

CREATE INDEX prompts_order ON gateway_checkout.prompts (account, "order", at);

CREATE INDEX prompts_network ON gateway_checkout.prompts (account, network, at, phone);

CREATE INDEX prompts_at ON gateway_checkout.prompts (account, at, phone);

-- The account numbers at the gateway by which the merchant of an account is known.
CREATE TABLE gateway_checkout.merchants (
  account text COLLATE "C" PRIMARY KEY,
  numbers text[] NOT NULL
);

-- 'recovered': when the database was recovered from a backup. 'store': a random number below 2 ** 53, which tells this
-- store from others.
CREATE TABLE gateway_checkout.marks (
  name text PRIMARY KEY,
  at   bigint NOT NULL
);

INSERT INTO gateway_checkout.marks VALUES ('store', trunc(random() * 9007199254740992));

-- One row: the database in which the tables were created or last recovered. A restored or promoted one is another.
CREATE TABLE gateway_checkout.origin (
  id       integer PRIMARY KEY CHECK (id = 1),
  identity text NOT NULL
);

-- Rows change several times within minutes: the default waits until a fifth of a large table is dead.
ALTER TABLE gateway_checkout.transactions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

ALTER TABLE gateway_checkout.outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
