-- Who made a change, as published. An API key is an application too; what a customer does on the public pages is
-- published as done by the service.
CREATE OR REPLACE FUNCTION changed_by_json(p_type text, p_id uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object('type', CASE p_type WHEN 'key' THEN 'app' WHEN 'customer' THEN 'system' ELSE p_type END,
        'id', p_id);
END $$;
