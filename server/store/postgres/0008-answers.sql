-- What the backend answered to the last delivery of an event: the HTTP status, and the beginning of the body.
ALTER TABLE gateway_checkout.events ADD COLUMN last_status integer;
ALTER TABLE gateway_checkout.events ADD COLUMN last_answer text;
