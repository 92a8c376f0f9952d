-- The scopes of an API client of which the business counts the records that are read; always one row.
-- A single SELECT, which PostgreSQL makes part of the statement that calls it.
CREATE OR REPLACE FUNCTION budgeted_scopes(p_tenant uuid, p_client uuid)
RETURNS SETOF text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT b.scope FROM scope_budgets b WHERE b.tenant_id = p_tenant AND b.client_id = p_client)
$$;
