-- Deletes what is final in other businesses, such as invoices, from a sandbox that is emptied. It runs with the rights
-- of its owner, because the service itself cannot delete these rows.
CREATE OR REPLACE FUNCTION delete_final_rows_of_sandbox(p_tenant uuid, p_table text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$ -- ends with pg_temp, see migrate.py
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant AND is_sandbox;
    IF NOT FOUND OR p_table <> ALL (
        ARRAY['invoices', 'credit_notes', 'day_closes', 'day_reopenings', 'shift_closes']) THEN
        RAISE EXCEPTION 'only a sandbox is emptied' USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM set_config('frontdesk.emptied_sandbox', p_tenant::text, true);
    EXECUTE format('DELETE FROM %I WHERE tenant_id = $1', p_table) USING p_tenant;
    PERFORM set_config('frontdesk.emptied_sandbox', '', true);
END $$;
