-- migration: expand
CREATE INDEX CONCURRENTLY request_log_by_key ON request_log (tenant_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
