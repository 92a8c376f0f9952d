-- The option of a line as published; null for a line without one.
CREATE OR REPLACE FUNCTION option_json(p_ids uuid[], p_name text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN cardinality(p_ids) > 0 THEN json_build_object('id', p_ids[1], 'name', coalesce(p_name, '')) END
$$;
