-- Makes a note a warning or an ordinary note, or deletes it where `is_warning` is null. Returns the customer's id.
-- With `version` it must not have changed since it was read.
CREATE OR REPLACE FUNCTION change_customer_note(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_warning boolean := (p ->> 'is_warning')::boolean;
    v_before customer_notes;
    v_after jsonb;
BEGIN
    SELECT * INTO v_before FROM customer_notes
    WHERE tenant_id = p_tenant AND customer_id = c.id AND id = (p ->> 'note_id')::uuid FOR UPDATE;
    IF NOT FOUND OR v_before.version <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    IF v_warning IS NULL THEN
        DELETE FROM customer_notes WHERE tenant_id = p_tenant AND id = v_before.id;
    ELSE
        UPDATE customer_notes SET is_warning = v_warning, version = version + 1
        WHERE tenant_id = p_tenant AND id = v_before.id;
        v_after := to_jsonb(v_before) || jsonb_build_object('is_warning', v_warning);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_warning IS NULL THEN 'customer.note_deleted' ELSE 'customer.note_changed' END, c.id,
        concat_ws(' ', c.first_name, c.last_name), to_jsonb(v_before), v_after);
    RETURN c.id;
END $$;
