-- migration: expand
CREATE INDEX CONCURRENTLY customers_by_change ON customers (tenant_id, updated_at, id) WHERE erased_at IS NULL;
