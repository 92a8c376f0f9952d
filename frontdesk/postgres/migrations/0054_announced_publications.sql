-- migration: expand
-- Which published descriptions of the APIs were announced by mail. Those that an installation begins with are listed
-- too, although no mail was sent. Without a tenant: a description is the same for all.
CREATE TABLE announced_publications (
    version text PRIMARY KEY,
    announced_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE account_messages
    DROP CONSTRAINT account_messages_kind,
    ADD CONSTRAINT account_messages_kind CHECK (kind IN ('password_reset', 'password_changed', 'email_verification',
        'email_changed', 'sign_up', 'account_exists', 'invitation', 'new_device', 'second_factor_changed',
        'budget_used_up', 'api_changes')) NOT VALID;
