-- The published form of an item or a package that stands first at the till. VOLATILE, so that it sees what the same
-- statement has just written.
CREATE OR REPLACE FUNCTION pinned_item_document(p_tenant uuid, p_id uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', i.id, 'type', i.type, 'name', i.name, 'branch_id', i.branch_id,
        'pinned_at', format_utc(i.pinned_at)) INTO v_document
    FROM items i WHERE i.tenant_id = p_tenant AND i.id = p_id AND i.pinned_at IS NOT NULL;
    IF v_document IS NULL THEN
        SELECT json_build_object('id', k.id, 'type', 'package', 'name', k.name, 'branch_id', k.branch_id,
            'pinned_at', format_utc(k.pinned_at)) INTO v_document
        FROM packages k WHERE k.tenant_id = p_tenant AND k.id = p_id AND k.pinned_at IS NOT NULL;
    END IF;
    RETURN v_document;
END $$;
