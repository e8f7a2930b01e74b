-- What the backend answered to the last delivery of an event: the HTTP status, and the beginning of the body.
ALTER TABLE events ADD COLUMN last_status INTEGER;
ALTER TABLE events ADD COLUMN last_answer TEXT;
