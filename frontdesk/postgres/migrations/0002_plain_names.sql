-- migration: contract, programs from 0.1.0
-- Names that say what they hold. The status 'outside' of time off stays, because archives of businesses contain it.
ALTER TABLE outside_calendars RENAME TO external_calendars;
ALTER INDEX outside_calendars_due RENAME TO external_calendars_due;
ALTER TABLE messages RENAME COLUMN stop_code TO unsubscribe_token;
ALTER TABLE messages RENAME COLUMN once TO dedup_key;
ALTER TABLE messages RENAME COLUMN letter TO composed;
ALTER INDEX messages_stop_code RENAME TO messages_unsubscribe_token;
ALTER INDEX messages_once RENAME TO messages_dedup_key;

-- Functions that are created anew under another name.
DROP FUNCTION IF EXISTS save_outside_calendar(uuid, jsonb);
DROP FUNCTION IF EXISTS delete_outside_calendar(uuid, jsonb);
DROP FUNCTION IF EXISTS store_outside_busy(uuid, jsonb);
DROP FUNCTION IF EXISTS import_words(uuid, jsonb);
DROP FUNCTION IF EXISTS separate_customers(uuid, jsonb);
DROP FUNCTION IF EXISTS coming_orders_of_email(uuid, text, integer);
DROP FUNCTION IF EXISTS next_time(timestamptz);
DROP FUNCTION IF EXISTS sold_names(text, jsonb);
DROP FUNCTION IF EXISTS day_and_month(date);
DROP FUNCTION IF EXISTS months_and_days(date, date);
DROP FUNCTION IF EXISTS moved(uuid[], uuid, text);
