-- Puts an item on sale or takes it off sale, and returns its id; null if there is none.
CREATE OR REPLACE FUNCTION set_item_status(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    i items;
    v_published json := item_document(p_tenant, (p ->> 'id')::uuid);
BEGIN
    UPDATE items SET status = (p ->> 'status')::boolean, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid AND status <> (p ->> 'status')::boolean
    RETURNING * INTO i;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'item.updated', i.id, localized(i.name),
            jsonb_build_object('status', NOT i.status), jsonb_build_object('status', i.status));
        PERFORM emit_change(p_tenant, 'item.updated', v_published, item_document(p_tenant, i.id));
    END IF;
    RETURN (p ->> 'id')::uuid;
END $$;
