-- The published form of one category, as in GET /categories. VOLATILE, so that it sees what the same statement has just
-- written.
CREATE OR REPLACE FUNCTION category_document(p_tenant uuid, p_category uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', c.id, 'version', c.version, 'name', c.name, 'slug', c.slug,
        'description', c.description, 'status', c.status, 'sort_order', c.sort_order,
        'branch', json_build_object('id', b.id, 'name', b.name),
        'created_at', format_utc(c.created_at), 'updated_at', format_utc(c.updated_at))
    INTO v_document FROM categories c JOIN branches b ON b.tenant_id = p_tenant AND b.id = c.branch_id
    WHERE c.tenant_id = p_tenant AND c.id = p_category;
    RETURN v_document;
END $$;
