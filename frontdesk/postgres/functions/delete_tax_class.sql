-- Deletes a tax class that nothing uses, and returns its id.
CREATE OR REPLACE FUNCTION delete_tax_class(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb;
    v_published json := tax_class_document(p_tenant, v_id);
BEGIN
    SELECT to_jsonb(c) INTO v_before FROM tax_classes c
    WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer FOR UPDATE;
    IF NOT FOUND OR EXISTS (SELECT FROM items WHERE tenant_id = p_tenant AND tax_class_id = v_id)
        OR EXISTS (SELECT FROM packages WHERE tenant_id = p_tenant AND tax_class_id = v_id) THEN
        PERFORM raise_outdated();
    END IF;
    v_before := v_before || jsonb_build_object('rates', tax_rates_json(p_tenant, v_id));
    DELETE FROM tax_classes WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'tax_class.deleted', v_id,
        coalesce(v_before #>> '{name,en}', v_before #>> '{name,ar}'), v_before);
    PERFORM emit_change(p_tenant, 'tax_class.deleted', v_published, NULL);
    RETURN v_id;
END $$;
