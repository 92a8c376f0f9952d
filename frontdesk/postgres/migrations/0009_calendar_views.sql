-- migration: expand
-- How a member sees the calendar. Without a row: all providers, as narrow as they fit, colored by status.
CREATE TABLE calendar_views (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    -- Those who are hidden, and not those who are shown: one who is added later is seen by everybody.
    hidden_staff_ids uuid[] NOT NULL DEFAULT '{}',
    only_working boolean NOT NULL DEFAULT false, -- on the day, only those who work or have bookings
    colors text NOT NULL DEFAULT 'status' CHECK (colors IN ('status', 'service', 'provider')),
    is_wide boolean NOT NULL DEFAULT false,
    is_side_folded boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, user_id)
);
SELECT distribute_table('calendar_views');
ALTER TABLE calendar_views ADD FOREIGN KEY (tenant_id, user_id) REFERENCES memberships ON DELETE CASCADE;
