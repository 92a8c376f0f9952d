-- The list with one element moved: one place up or down, before another one, or, where p_to is null, to the end.
CREATE OR REPLACE FUNCTION reorder(p_ids uuid[], p_id uuid, p_to text) RETURNS uuid[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_others uuid[] := array_remove(p_ids, p_id);
    v_place integer := array_position(p_ids, p_id);
BEGIN
    v_place := CASE p_to
        WHEN 'up' THEN greatest(v_place - 1, 1)
        WHEN 'down' THEN v_place + 1
        ELSE coalesce(array_position(v_others, p_to::uuid), cardinality(v_others) + 1) END;
    RETURN v_others[:v_place - 1] || p_id || v_others[v_place:];
END $$;
