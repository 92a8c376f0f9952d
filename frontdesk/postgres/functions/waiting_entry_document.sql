-- The published form of an entry of the waiting list. VOLATILE, so that it sees what the same statement has just
-- written.
CREATE OR REPLACE FUNCTION waiting_entry_document(p_tenant uuid, p_entry uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', w.id, 'version', w.version, 'customer_id', w.customer_id,
        'service_ids', w.item_id || w.more_item_ids, 'staff_id', w.staff_id, 'first_day', w.first_day,
        'last_day', w.last_day, 'part_of_day', w.part_of_day, 'note', w.note, 'created_at', format_utc(w.created_at),
        'updated_at', format_utc(w.updated_at))
    INTO v_document FROM waiting_list w WHERE w.tenant_id = p_tenant AND w.id = p_entry;
    RETURN v_document;
END $$;
