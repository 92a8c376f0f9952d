-- Deletes a category without items, and returns its id. The foreign key of items holds one that is in use.
CREATE OR REPLACE FUNCTION delete_category(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_published json := category_document(p_tenant, (p ->> 'id')::uuid);
    c categories;
BEGIN
    DELETE FROM categories WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid RETURNING * INTO c;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'category.deleted', c.id, localized(c.name), to_jsonb(c), NULL);
    PERFORM emit_change(p_tenant, 'category.deleted', v_published, NULL);
    RETURN c.id;
END $$;
