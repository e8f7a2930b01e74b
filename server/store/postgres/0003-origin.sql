-- One row: the database in which the tables were created or last recovered. A restored or promoted one is another.
CREATE TABLE gateway_checkout.origin (
  id       integer PRIMARY KEY CHECK (id = 1),
  identity text NOT NULL
);
