-- Moves a staff member up or down in the list and returns their id. All get new positions, so that none is shared.
CREATE OR REPLACE FUNCTION move_staff_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_ids uuid[];
    v_from integer;
    v_to integer;
BEGIN
    PERFORM FROM staff WHERE tenant_id = p_tenant AND active ORDER BY id FOR NO KEY UPDATE;
    SELECT array_agg(id ORDER BY sort_order, name_search COLLATE "C", id) INTO v_ids
    FROM staff WHERE tenant_id = p_tenant AND active;
    v_from := array_position(v_ids, v_id);
    v_to := v_from + (p ->> 'by')::integer;
    IF v_to BETWEEN 1 AND cardinality(v_ids) THEN
        v_ids[v_from] := v_ids[v_to];
        v_ids[v_to] := v_id;
    END IF;
    UPDATE staff SET sort_order = n.position FROM unnest(v_ids) WITH ORDINALITY AS n (id, position)
    WHERE staff.tenant_id = p_tenant AND staff.id = n.id AND sort_order <> n.position;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.updated', v_id, s.name,
        jsonb_build_object('sort_order', v_from), jsonb_build_object('sort_order', array_position(v_ids, v_id)))
    FROM staff s WHERE s.tenant_id = p_tenant AND s.id = v_id;
    RETURN v_id;
END $$;
