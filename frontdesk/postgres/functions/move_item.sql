-- Moves an item among those of its category, and returns its id; `to` is as in move_category. The items of the category
-- keep the places that they have together among all items.
CREATE OR REPLACE FUNCTION move_item(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_category uuid;
    v_ids uuid[];
    v_places integer[];
    v_before integer;
BEGIN
    PERFORM FROM items WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    -- Places that several items share would let one of them go nowhere.
    UPDATE items i SET sort_order = g.position
    FROM (SELECT id, row_number() OVER (ORDER BY sort_order, id) AS position FROM items WHERE tenant_id = p_tenant) g
    WHERE i.tenant_id = p_tenant AND i.id = g.id AND i.sort_order <> g.position AND EXISTS (
        SELECT FROM items WHERE tenant_id = p_tenant GROUP BY sort_order HAVING count(*) > 1);
    SELECT category_id, sort_order INTO v_category, v_before FROM items WHERE tenant_id = p_tenant AND id = v_id;
    SELECT array_agg(id ORDER BY sort_order, id), array_agg(sort_order ORDER BY sort_order) INTO v_ids, v_places
    FROM items WHERE tenant_id = p_tenant AND category_id IS NOT DISTINCT FROM v_category;
    UPDATE items i SET sort_order = g.position, updated_at = monotonic_now(updated_at)
    FROM unnest(reorder(v_ids, v_id, p ->> 'to'), v_places) AS g (id, position)
    WHERE i.tenant_id = p_tenant AND i.id = g.id AND i.sort_order <> g.position;
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.updated', v_id, localized(i.name),
        jsonb_build_object('sort_order', v_before), jsonb_build_object('sort_order', i.sort_order))
    FROM items i WHERE i.tenant_id = p_tenant AND i.id = v_id;
    RETURN v_id;
END $$;
