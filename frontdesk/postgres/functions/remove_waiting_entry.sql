-- Removes an entry of the waiting list, and returns its id. One that is already gone is no error.
CREATE OR REPLACE FUNCTION remove_waiting_entry(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    w waiting_list;
BEGIN
    DELETE FROM waiting_list WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO w;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'customer.waiting_removed', w.customer_id,
            waiting_name(w), waiting_snapshot(w), NULL);
        PERFORM record_deletion(p_tenant, 'waiting_list_entry', v_id, clock_timestamp());
    END IF;
    RETURN v_id;
END $$;
