-- The published form of one tag. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION tag_document(p_tenant uuid, p_tag uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t tags;
BEGIN
    SELECT * INTO t FROM tags WHERE tenant_id = p_tenant AND id = p_tag;
    RETURN tag_json(t);
END $$;
