-- Creates the tags and categories that the rows of an import need. They are in imports.created, with the ids that the
-- rows refer to.
CREATE OR REPLACE FUNCTION create_import_tags_and_categories(p_tenant uuid, p jsonb)
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    i imports;
    v_language text;
BEGIN
    SELECT * INTO i FROM imports WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid;
    SELECT languages[1] INTO v_language FROM tenants WHERE id = p_tenant;
    INSERT INTO tags (tenant_id, id, model, name, name_folded)
    SELECT p_tenant, t.id, 'customers', t.name, t.folded
    FROM jsonb_to_recordset(coalesce(i.created -> 'tags', '[]')) AS t (id uuid, name text, folded text);
    INSERT INTO categories (tenant_id, id, branch_id, name, slug, sort_order)
    SELECT p_tenant, c.id, i.branch_id, jsonb_build_object(v_language, c.name), c.slug, (
        SELECT coalesce(max(sort_order), 0) + 1 FROM categories WHERE tenant_id = p_tenant)
    FROM jsonb_to_recordset(coalesce(i.created -> 'categories', '[]')) AS c (id uuid, name text, slug text);
    RETURN 0;
END $$;
