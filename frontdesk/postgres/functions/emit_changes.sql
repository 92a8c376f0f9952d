-- Emits what has changed in several records of one kind, as emit_change does for one. p_before and p_after are their
-- published forms in the same order.
CREATE OR REPLACE FUNCTION emit_changes(p_tenant uuid, p_type text, p_before json[], p_after json[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_data json[];
BEGIN
    SELECT array_agg(d.data ORDER BY d.position) INTO v_data FROM (
        SELECT change_data(p_type, c.before, c.after) AS data, c.position
        FROM unnest(p_before, p_after) WITH ORDINALITY AS c (before, after, position)) d
    WHERE d.data IS NOT NULL;
    IF v_data IS NOT NULL THEN
        PERFORM emit_events(p_tenant, array_fill(p_type, ARRAY[cardinality(v_data)]), v_data);
    END IF;
END $$;
