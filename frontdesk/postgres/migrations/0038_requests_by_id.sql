-- migration: expand
CREATE INDEX CONCURRENTLY request_log_by_id ON request_log (tenant_id, request_id);
