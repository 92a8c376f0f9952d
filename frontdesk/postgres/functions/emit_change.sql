-- Emits that a record was created, changed or deleted, as emit_events does and at the same place of a function: last.
-- A change of nothing that is published emits nothing.
CREATE OR REPLACE FUNCTION emit_change(p_tenant uuid, p_type text, p_before json, p_after json) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_data json := change_data(p_type, p_before, p_after);
BEGIN
    IF v_data IS NOT NULL THEN
        PERFORM emit_events(p_tenant, ARRAY[p_type], ARRAY[v_data]);
    END IF;
END $$;
