-- migration: expand
-- A cashier's own shift: a session of one of the drawers of a branch that holds only what this person takes. It is
-- counted and closed before the day is. A session without a cashier is the drawer of all, as before (decision 121).
ALTER TABLE tenants
    ADD COLUMN own_shifts boolean NOT NULL DEFAULT false, -- each cashier opens, counts and closes a shift of their own
    ADD COLUMN blind_count boolean NOT NULL DEFAULT false; -- what is expected is not shown before the count
ALTER TABLE branches
    ADD COLUMN drawer_count smallint NOT NULL DEFAULT 1, -- numbered from 1
    ADD CONSTRAINT branches_drawer_count CHECK (drawer_count BETWEEN 1 AND 20) NOT VALID;
ALTER TABLE drawer_sessions
    ADD COLUMN drawer smallint NOT NULL DEFAULT 1,
    ADD COLUMN cashier_id uuid, -- a user; null: the session is the drawer of all who have no shift of their own
    DROP CONSTRAINT drawer_sessions_check1, -- a closed shift waits for the close of its day
    ADD CONSTRAINT drawer_sessions_ended CHECK (CASE WHEN cashier_id IS NULL
        THEN (closed_at IS NULL) = (day_close_id IS NULL)
        ELSE closed_at IS NOT NULL OR day_close_id IS NULL END) NOT VALID;

-- The count at the end of a shift. It never changes: a shift that is reopened gets another one, and the close that
-- counts is the one at whose time the session is closed.
CREATE TABLE shift_closes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    drawer jsonb NOT NULL, -- what should be in the drawer, and the count
    methods jsonb NOT NULL, -- what was expected and found by each other payment method
    note text, -- why the count differs
    closed_by_type text NOT NULL CHECK (closed_by_type IN ('app', 'key', 'user', 'system')),
    closed_by_id uuid,
    closed_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT shift_closes_once UNIQUE (tenant_id, session_id, closed_at)
);
SELECT distribute_table('shift_closes');
ALTER TABLE shift_closes ADD FOREIGN KEY (tenant_id, session_id) REFERENCES drawer_sessions;
CREATE TRIGGER shift_closes_are_final BEFORE UPDATE OR DELETE ON shift_closes
    FOR EACH ROW EXECUTE FUNCTION forbid_change();
