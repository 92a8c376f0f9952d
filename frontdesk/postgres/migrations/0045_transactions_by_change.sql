-- migration: expand
CREATE INDEX CONCURRENTLY transactions_by_change ON transactions (tenant_id, updated_at, transaction_no);
