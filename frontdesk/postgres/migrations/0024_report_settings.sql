-- migration: expand
-- What a member chose on the page of reports: favorites, and the monthly mail. Without a row: neither.
CREATE TABLE report_settings (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    favorites text[] NOT NULL DEFAULT '{}', -- names of reports, in the order of their choice
    next_mail_at timestamptz, -- when the last month is mailed next; null: it is not mailed
    PRIMARY KEY (tenant_id, user_id)
);
SELECT distribute_table('report_settings');
ALTER TABLE report_settings ADD FOREIGN KEY (tenant_id, user_id) REFERENCES memberships ON DELETE CASCADE;
CREATE INDEX report_settings_due ON report_settings (next_mail_at) WHERE next_mail_at IS NOT NULL;

-- The queue of monthly reports by mail: one for each member and month, whatever crashes. Deleted after 400 days.
CREATE TABLE report_mails (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    month date NOT NULL, -- its first day
    -- As in messages
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'kept', 'failed', 'dropped')),
    answer text,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    lease uuid,
    leased_until timestamptz,
    finished_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, month)
);
SELECT distribute_table('report_mails');
CREATE INDEX report_mails_due ON report_mails (due_at) WHERE state = 'due';
