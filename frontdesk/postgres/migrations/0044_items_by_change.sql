-- migration: expand
CREATE INDEX CONCURRENTLY items_by_change ON items (tenant_id, updated_at, id);
