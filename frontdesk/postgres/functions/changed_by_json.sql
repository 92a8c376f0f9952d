-- Who made a change, as published. An API key is an application too.
CREATE OR REPLACE FUNCTION changed_by_json(p_type text, p_id uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object('type', CASE WHEN p_type = 'key' THEN 'app' ELSE p_type END, 'id', p_id);
END $$;
