-- migration: expand
-- An application holds a time too: whose the hold is, and of which service. A hold of a form has a network instead.
-- `starts_at` and `ends_at` are the appointment without its buffers.
ALTER TABLE holds
    ALTER network DROP NOT NULL,
    ADD client_id uuid,
    ADD item_id uuid,
    ADD starts_at timestamptz,
    ADD ends_at timestamptz;
