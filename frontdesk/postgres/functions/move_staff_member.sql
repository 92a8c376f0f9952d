-- Moves a staff member in the list of those who work here, and returns their id; `to` is as in move_category. All get
-- new positions, so that none is shared.
CREATE OR REPLACE FUNCTION move_staff_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_ids uuid[];
    v_from integer;
    v_name text;
    v_moved uuid[];
    v_published json[];
BEGIN
    PERFORM FROM staff WHERE tenant_id = p_tenant AND active ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(id ORDER BY sort_order, name_search COLLATE "C", id) INTO v_ids
    FROM staff WHERE tenant_id = p_tenant AND active;
    v_from := array_position(v_ids, v_id);
    v_ids := reorder(v_ids, v_id, p ->> 'to');
    SELECT array_agg(s.id ORDER BY s.id), array_agg(staff_document(p_tenant, s.id) ORDER BY s.id)
    INTO v_moved, v_published FROM staff s JOIN unnest(v_ids) WITH ORDINALITY AS n (id, position) ON n.id = s.id
    WHERE s.tenant_id = p_tenant AND s.sort_order <> n.position;
    UPDATE staff SET sort_order = n.position, updated_at = monotonic_now(updated_at)
    FROM unnest(v_ids) WITH ORDINALITY AS n (id, position)
    WHERE staff.tenant_id = p_tenant AND staff.id = n.id AND sort_order <> n.position;
    SELECT name INTO v_name FROM staff WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.updated', v_id, v_name,
        jsonb_build_object('sort_order', v_from), jsonb_build_object('sort_order', array_position(v_ids, v_id)));
    PERFORM emit_changes(p_tenant, 'staff.updated', v_published,
        ARRAY(SELECT staff_document(p_tenant, m.id) FROM unnest(v_moved) AS m (id) ORDER BY m.id));
    RETURN v_id;
END $$;
