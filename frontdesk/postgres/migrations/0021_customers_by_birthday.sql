-- migration: expand
CREATE INDEX CONCURRENTLY customers_by_birthday ON customers (tenant_id, "right"(birthday, 5))
    WHERE birthday IS NOT NULL;
