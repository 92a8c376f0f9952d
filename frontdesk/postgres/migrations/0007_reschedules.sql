-- Rescheduling: a row of the history that has these two moved the appointment and left the status as it was.
ALTER TABLE order_status_history
    ADD COLUMN previous_start timestamptz,
    ADD COLUMN new_start timestamptz,
    ADD CHECK ((previous_start IS NULL) = (new_start IS NULL)),
    ADD CHECK (new_start IS NULL OR from_status = to_status);
