-- migration: expand
-- How far the log was after the last write of a business, where reads may use a replica. See replica.py. Unlogged: it
-- is needed for as long as a replica is late.
CREATE UNLOGGED TABLE last_writes (
    tenant_id uuid PRIMARY KEY,
    position pg_lsn NOT NULL
);
SELECT distribute_table('last_writes');
