-- migration: expand
-- What a webhook leaves out: an empty list leaves out nothing. A thin webhook gets ids instead of records.
ALTER TABLE webhooks
    ADD COLUMN branch_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN changed_fields text[] NOT NULL DEFAULT '{}',
    ADD COLUMN is_thin boolean NOT NULL DEFAULT false;
