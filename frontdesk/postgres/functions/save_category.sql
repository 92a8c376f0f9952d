-- Creates a category after the others, or updates it if p has the version that it still has, and returns its id.
CREATE OR REPLACE FUNCTION save_category(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    n categories := jsonb_populate_record(NULL::categories, p - 'actor');
    v_next integer; -- place in the list
    v_before jsonb;
    v_published json;
BEGIN
    IF n.version IS NULL THEN
        SELECT coalesce(max(sort_order) + 1, 0) INTO v_next FROM categories WHERE tenant_id = p_tenant;
        INSERT INTO categories (tenant_id, id, branch_id, name, slug, description, status, sort_order)
        VALUES (p_tenant, n.id, n.branch_id, n.name, n.slug, n.description, n.status, v_next);
    ELSE
        SELECT to_jsonb(c) INTO v_before FROM categories c
        WHERE tenant_id = p_tenant AND id = n.id AND version = n.version FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_published := category_document(p_tenant, n.id);
        UPDATE categories SET name = n.name, description = n.description, status = n.status, version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = n.id;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'category.created' ELSE 'category.updated' END, n.id, localized(n.name),
            v_before,
        (SELECT to_jsonb(c) FROM categories c WHERE tenant_id = p_tenant AND id = n.id));
    PERFORM emit_change(p_tenant, CASE WHEN v_before IS NULL THEN 'category.created' ELSE 'category.updated' END,
        v_published, category_document(p_tenant, n.id));
    RETURN n.id;
END $$;
