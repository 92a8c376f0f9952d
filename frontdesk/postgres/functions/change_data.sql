-- The data of the event that a record was created, changed or deleted: the record as it is, or as it was last, and of a
-- change the names of its fields that differ. Null if none does. p_before and p_after are its published forms. Who
-- performs a service is told by the events of the staff.
CREATE OR REPLACE FUNCTION change_data(p_type text, p_before json, p_after json) RETURNS json
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_record text := split_part(p_type, '.', 1);
    v_ignored constant text[] := ARRAY['version', 'updated_at'] || CASE WHEN v_record = 'item' THEN 'staff' END;
    v_before jsonb;
    v_changed json;
BEGIN
    IF p_before IS NULL OR p_after IS NULL THEN
        RETURN json_build_object(v_record, coalesce(p_after, p_before));
    END IF;
    v_before := p_before::jsonb - v_ignored;
    SELECT json_agg(a.key ORDER BY a.key) INTO v_changed FROM jsonb_each(p_after::jsonb - v_ignored) a
    WHERE a.value IS DISTINCT FROM v_before -> a.key;
    RETURN CASE WHEN v_changed IS NOT NULL THEN json_build_object(v_record, p_after, 'changed', v_changed) END;
END $$;
