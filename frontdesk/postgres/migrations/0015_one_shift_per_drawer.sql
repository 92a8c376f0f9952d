-- migration: contract, programs from 0.1.0
-- One open session for each drawer, and for each cashier at a branch. No program relies on the index before it, one
-- open session for each branch: open_drawer looks itself.
CREATE UNIQUE INDEX CONCURRENTLY drawer_sessions_one_per_drawer ON drawer_sessions (tenant_id, branch_id, drawer)
    WHERE closed_at IS NULL;
CREATE UNIQUE INDEX CONCURRENTLY drawer_sessions_one_per_cashier ON drawer_sessions (tenant_id, branch_id, cashier_id)
    WHERE closed_at IS NULL;
CREATE INDEX CONCURRENTLY drawer_sessions_of_cashier ON drawer_sessions (tenant_id, branch_id, cashier_id, counts_from);
DROP INDEX CONCURRENTLY drawer_sessions_one_open;
