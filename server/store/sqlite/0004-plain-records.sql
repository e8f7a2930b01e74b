-- A row that was never sent has no sent_at. Sending made a second version: the first one was only stored.
ALTER TABLE transactions ADD COLUMN sent INTEGER;

UPDATE transactions SET sent = CASE
  WHEN version = 1 AND json_valid(record) AND record ->> '$.phase' = 'intended' THEN NULL
  ELSE sent_at
END;

ALTER TABLE transactions DROP COLUMN sent_at;

ALTER TABLE transactions RENAME COLUMN sent TO sent_at;

-- Renamed keys of records. A record that is no JSON stays as it is, and no kind reads it.
UPDATE transactions SET record =
  json_set(json_remove(record, '$.asked'), '$.requested', json(record -> '$.asked'))
WHERE kind = 'checkout' AND json_valid(record);

UPDATE transactions SET record =
  json_set(record, '$.unknown', json_object('times', 0, 'since', NULL), '$.stuck', NULL)
WHERE kind = 'checkout' AND json_valid(record) AND record ->> '$.phase' = 'intended';

UPDATE transactions SET record =
  json_set(json_remove(record, '$.seen', '$.told_paid', '$.lost_at', '$.fulfilment'),
    '$.reported', json(record -> '$.seen'),
    '$.paid_emitted', json(coalesce(record -> '$.told_paid', 'false')),
    '$.unknown_at', json(record -> '$.lost_at'),
    '$.confirmation', json(record -> '$.fulfilment'))
WHERE kind = 'checkout' AND json_valid(record) AND record ->> '$.phase' = 'open';

UPDATE transactions SET record =
  json_set(json_remove(record, '$.missing'), '$.unknown', json_object(
    'times', record -> '$.missing.times',
    'since', CASE WHEN sent_at IS NULL THEN NULL ELSE record -> '$.missing.since' END))
WHERE kind = 'payout' AND json_valid(record) AND record ->> '$.phase' = 'intended';

UPDATE transactions SET record =
  json_set(json_remove(record, '$.seen'), '$.reported', json(record -> '$.seen'), '$.response_description', NULL)
WHERE kind = 'payout' AND json_valid(record) AND record ->> '$.phase' = 'accepted';

UPDATE transactions SET record = json_set(record, '$.given_digest', NULL)
WHERE kind = 'charge' AND json_valid(record);

UPDATE transactions SET record =
  json_set(json_remove(record, '$.missing'), '$.unknown',
    json_object('times', record -> '$.missing', 'since', sent_at))
WHERE kind IN ('charge', 'airtime') AND json_valid(record) AND record ->> '$.phase' = 'intended';

UPDATE transactions SET record =
  json_set(json_remove(record, '$.seen', '$.told', '$.fulfilment'),
    '$.reported', json(record -> '$.seen'),
    '$.emitted', json(record -> '$.told'),
    '$.confirmation', json(record -> '$.fulfilment'))
WHERE kind = 'charge' AND json_valid(record) AND record ->> '$.phase' = 'posted';

UPDATE transactions SET record =
  json_set(record, '$.recipients', (
    SELECT json_group_array(json(json_set(json_remove(value, '$.seen'), '$.reported', json(value -> '$.seen'))))
    FROM json_each(record, '$.recipients')))
WHERE kind = 'airtime' AND json_valid(record);
