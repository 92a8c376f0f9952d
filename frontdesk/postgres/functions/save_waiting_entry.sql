-- Adds an entry to the waiting list, or changes the one that has the version, and returns its id.
CREATE OR REPLACE FUNCTION save_waiting_entry(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_more uuid[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'more_item_ids')::uuid);
    v_before jsonb;
    w waiting_list;
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO waiting_list (tenant_id, id, customer_id, item_id, more_item_ids, staff_id, first_day, last_day,
            part_of_day, note,
            created_by)
        VALUES (p_tenant, v_id, (p ->> 'customer_id')::uuid, (p ->> 'item_id')::uuid, v_more, (p ->> 'staff_id')::uuid,
            (p ->> 'first_day')::date, (p ->> 'last_day')::date, p ->> 'part_of_day', p ->> 'note',
            acting_user(p -> 'actor'))
        RETURNING * INTO w;
    ELSE
        SELECT * INTO w FROM waiting_list WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
        IF w.version IS DISTINCT FROM (p ->> 'version')::integer THEN
            PERFORM raise_outdated();
        END IF;
        v_before := waiting_snapshot(w);
        UPDATE waiting_list SET item_id = (p ->> 'item_id')::uuid, more_item_ids = v_more,
            staff_id = (p ->> 'staff_id')::uuid,
            first_day = (p ->> 'first_day')::date, last_day = (p ->> 'last_day')::date,
            part_of_day = p ->> 'part_of_day', note = p ->> 'note', version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO w;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'customer.waiting_added' ELSE 'customer.waiting_changed' END, w.customer_id,
        waiting_name(w), v_before, waiting_snapshot(w));
    RETURN v_id;
END $$;
