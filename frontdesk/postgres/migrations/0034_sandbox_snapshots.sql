-- migration: expand
-- What a sandbox was at a moment, to go back to: the rows of each of its tables as JSON. They stay when it is reset.
CREATE TABLE sandbox_snapshots (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
    orders integer NOT NULL, -- how many it has
    created_at timestamptz NOT NULL DEFAULT business_time(),
    PRIMARY KEY (tenant_id, id)
);
SELECT distribute_table('sandbox_snapshots');
CREATE TABLE sandbox_snapshot_rows (
    tenant_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    table_name text NOT NULL,
    content jsonb NOT NULL, -- an array of rows
    PRIMARY KEY (tenant_id, snapshot_id, table_name)
);
SELECT distribute_table('sandbox_snapshot_rows');
ALTER TABLE sandbox_snapshot_rows
    ADD FOREIGN KEY (tenant_id, snapshot_id) REFERENCES sandbox_snapshots ON DELETE CASCADE;
