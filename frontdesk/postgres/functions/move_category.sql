-- Moves a category in the order of categories, and returns its id: `to` is "up", "down" or the id of the one that it
-- comes before, null for the end.
CREATE OR REPLACE FUNCTION move_category(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_ids uuid[];
    v_before integer;
    v_moved uuid[];
    v_published json[];
BEGIN
    PERFORM FROM categories WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(id ORDER BY sort_order, id) INTO v_ids FROM categories WHERE tenant_id = p_tenant;
    v_before := array_position(v_ids, v_id);
    v_ids := reorder(v_ids, v_id, p ->> 'to');
    SELECT array_agg(c.id ORDER BY c.id), array_agg(category_document(p_tenant, c.id) ORDER BY c.id)
    INTO v_moved, v_published FROM categories c JOIN unnest(v_ids) WITH ORDINALITY AS g (id, position) ON g.id = c.id
    WHERE c.tenant_id = p_tenant AND c.sort_order <> g.position - 1;
    UPDATE categories c SET sort_order = g.position - 1, updated_at = monotonic_now(updated_at)
    FROM unnest(v_ids) WITH ORDINALITY AS g (id, position)
    WHERE c.tenant_id = p_tenant AND c.id = g.id AND c.sort_order <> g.position - 1;
    PERFORM record_activity(p_tenant, p -> 'actor', 'category.updated', v_id, localized(c.name),
        jsonb_build_object('sort_order', v_before), jsonb_build_object('sort_order', array_position(v_ids, v_id)))
    FROM categories c WHERE c.tenant_id = p_tenant AND c.id = v_id;
    PERFORM emit_changes(p_tenant, 'category.updated', v_published,
        ARRAY(SELECT category_document(p_tenant, m.id) FROM unnest(v_moved) AS m (id) ORDER BY m.id));
    RETURN v_id;
END $$;
