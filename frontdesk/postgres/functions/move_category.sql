-- Moves a category in the order of categories, and returns its id: `to` is "up", "down" or the id of the one that it comes
-- before, null for the end.
CREATE OR REPLACE FUNCTION move_category(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids uuid[];
BEGIN
    PERFORM FROM categories WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(id ORDER BY sort_order, id) INTO v_ids FROM categories WHERE tenant_id = p_tenant;
    v_ids := moved(v_ids, (p ->> 'id')::uuid, p ->> 'to');
    UPDATE categories c SET sort_order = g.place - 1, updated_at = next_time(updated_at)
    FROM unnest(v_ids) WITH ORDINALITY AS g (id, place)
    WHERE c.tenant_id = p_tenant AND c.id = g.id AND c.sort_order <> g.place - 1;
    RETURN (p ->> 'id')::uuid;
END $$;
