-- Deletes what a reset, or going back to a snapshot, replaces. Members and keys stay, without the staff member and the
-- branch that they were bound to. Events are deleted, because they are about records that are gone, but their sequence
-- goes on, because applications remember how far they have read.
CREATE OR REPLACE FUNCTION empty_sandbox(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_final CONSTANT text[] := ARRAY['invoices', 'credit_notes', 'day_closes', 'day_reopenings', 'shift_closes'];
    v_table text;
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant AND is_sandbox FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM idempotency_records WHERE tenant_id = p_tenant AND created_at < now(); -- but for the one of this act
    DELETE FROM webhook_attempts WHERE tenant_id = p_tenant;
    DELETE FROM webhook_deliveries WHERE tenant_id = p_tenant;
    DELETE FROM events WHERE tenant_id = p_tenant;
    DELETE FROM record_exports WHERE tenant_id = p_tenant;
    UPDATE memberships SET staff_id = NULL WHERE tenant_id = p_tenant AND staff_id IS NOT NULL;
    UPDATE api_keys SET branch_id = NULL WHERE tenant_id = p_tenant AND branch_id IS NOT NULL;
    FOR v_table IN SELECT s.name FROM sandbox_tables() WITH ORDINALITY s (name, columns, position)
        ORDER BY s.position DESC
    LOOP
        IF v_table = ANY (c_final) THEN
            PERFORM delete_final_rows_of_sandbox(p_tenant, v_table);
            CONTINUE;
        END IF;
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1 %s', v_table,
            CASE WHEN v_table = 'tenant_counters' THEN 'AND name <> ''events''' ELSE '' END) USING p_tenant;
    END LOOP;
END $$;
