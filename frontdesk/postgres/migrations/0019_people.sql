-- migration: expand
-- What a business knows of its customers as people. None of it is in the APIs (decision 133).
ALTER TABLE customers
    -- "1990-03-21", or "--03-21" where the year is not known (values/birthdays.py)
    ADD COLUMN birthday text,
    ADD COLUMN allergies text, -- shown wherever the customer is booked or served
    -- A staff member. Without a foreign key: it is read by a join, so who is gone is nobody.
    ADD COLUMN favorite_staff_id uuid,
    ADD CONSTRAINT customers_birthday CHECK (birthday ~ '^([0-9]{4}|-)-[0-9]{2}-[0-9]{2}$') NOT VALID;
ALTER TABLE message_settings ADD COLUMN birthday boolean NOT NULL DEFAULT false; -- to those who have agreed to news
ALTER TABLE reminder_progress ADD COLUMN birthdays_on date; -- the local day whose greetings are queued
ALTER TABLE messages
    ADD CONSTRAINT messages_kind CHECK (kind IN ('confirmation', 'change', 'cancellation', 'reminder',
        'waiting_list_offer', 'receipt', 'contact_code', 'bookings_link', 'birthday')) NOT VALID,
    DROP CONSTRAINT messages_kind_check;
