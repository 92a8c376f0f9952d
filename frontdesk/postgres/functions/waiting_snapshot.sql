-- What the activity records of an entry of the waiting list.
CREATE OR REPLACE FUNCTION waiting_snapshot(w waiting_list) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('service', (
            SELECT jsonb_agg(i.name ORDER BY n.position)
            FROM unnest(w.item_id || w.more_item_ids) WITH ORDINALITY n (id, position)
            JOIN items i ON i.tenant_id = w.tenant_id AND i.id = n.id),
        'staff', (SELECT name FROM staff WHERE tenant_id = w.tenant_id AND id = w.staff_id),
        'first_day', w.first_day, 'last_day', w.last_day, 'part_of_day', w.part_of_day, 'note', w.note)
$$;
