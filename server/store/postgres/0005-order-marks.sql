-- The newest signed order of each reference, by its claim iat. An older one with other terms is refused. Never pruned.
CREATE TABLE gateway_checkout.order_marks (
  account   text COLLATE "C" NOT NULL,
  "order"   text COLLATE "C" NOT NULL,
  issued_at bigint NOT NULL,
  digest    text NOT NULL,
  PRIMARY KEY (account, "order")
);
