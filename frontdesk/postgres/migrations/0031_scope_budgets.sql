-- migration: expand
-- How many records a day an API client may read with a scope. `used` counts those of `day`, a local day of the
-- business; `extra` was allowed in addition on that day, and `stopped_at` is when a read of that day was first refused.
-- The three belong to `day`: on another day they are not counted.
CREATE TABLE scope_budgets (
    tenant_id uuid NOT NULL,
    client_id uuid NOT NULL,
    scope text NOT NULL,
    per_day integer NOT NULL CHECK (per_day > 0),
    day date NOT NULL,
    used integer NOT NULL DEFAULT 0,
    extra integer NOT NULL DEFAULT 0,
    stopped_at timestamptz,
    PRIMARY KEY (tenant_id, client_id, scope),
    FOREIGN KEY (tenant_id, client_id) REFERENCES api_clients ON DELETE CASCADE
) WITH (fillfactor = 70);

ALTER TABLE account_messages
    DROP CONSTRAINT account_messages_kind_check,
    ADD CONSTRAINT account_messages_kind CHECK (kind IN ('password_reset', 'password_changed', 'email_verification',
        'email_changed', 'sign_up', 'account_exists', 'invitation', 'new_device', 'second_factor_changed',
        'budget_used_up')) NOT VALID;
