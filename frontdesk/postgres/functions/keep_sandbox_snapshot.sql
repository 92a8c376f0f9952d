-- Keeps what a sandbox is now, to go back to it.
CREATE OR REPLACE FUNCTION keep_sandbox_snapshot(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_snapshot uuid := (p ->> 'id')::uuid;
    v_table text;
    v_orders integer;
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant AND is_sandbox FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    SELECT count(*) INTO v_orders FROM orders WHERE tenant_id = p_tenant;
    INSERT INTO sandbox_snapshots (tenant_id, id, name, orders) VALUES (p_tenant, v_snapshot, p ->> 'name', v_orders);
    FOR v_table IN SELECT name FROM sandbox_tables() LOOP
        EXECUTE format('INSERT INTO sandbox_snapshot_rows (tenant_id, snapshot_id, table_name, content)
            SELECT $1, $2, $3, jsonb_agg(to_jsonb(t)) FROM %I t WHERE t.tenant_id = $1 HAVING count(*) > 0', v_table)
        USING p_tenant, v_snapshot, v_table;
    END LOOP;
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.snapshot_kept', v_snapshot, p ->> 'name');
END $$;
