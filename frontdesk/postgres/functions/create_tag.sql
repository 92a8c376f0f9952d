-- Creates a tag and returns its id.
CREATE OR REPLACE FUNCTION create_tag(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO tags (tenant_id, id, model, name, name_folded)
    VALUES (p_tenant, (p ->> 'id')::uuid, p ->> 'model', p ->> 'name', p ->> 'name_folded');
    PERFORM record_activity(p_tenant, p -> 'actor', 'tag.created', (p ->> 'id')::uuid, p ->> 'name');
    RETURN (p ->> 'id')::uuid;
END $$;
