-- migration: expand
-- What was deleted, merged into another record or erased, so that applications that keep a copy learn of it however
-- late they ask. It holds no more than the id. `resource` is the word of the event types.
CREATE TABLE deleted_records (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
    resource text NOT NULL,
    id uuid NOT NULL,
    deleted_at timestamptz NOT NULL,
    merged_into uuid,
    PRIMARY KEY (tenant_id, resource, id)
);
CREATE INDEX deleted_records_by_time ON deleted_records (tenant_id, deleted_at, id);
