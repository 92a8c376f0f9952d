-- Creates or updates a tax class with its rates, and returns its id. Without a version it is new. A new default takes
-- the place of the old one.
CREATE OR REPLACE FUNCTION save_tax_class(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_default boolean := (p ->> 'is_default')::boolean;
    v_before jsonb;
    v_after jsonb;
    v_default_before uuid;
    v_published json[];
BEGIN
    PERFORM FROM tax_classes WHERE tenant_id = p_tenant ORDER BY id FOR UPDATE;
    IF p ? 'version' THEN
        SELECT to_jsonb(c) INTO v_before FROM tax_classes c
        WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_before := v_before || jsonb_build_object('rates', tax_rates_json(p_tenant, v_id));
    END IF;
    IF v_default THEN
        SELECT id INTO v_default_before FROM tax_classes WHERE tenant_id = p_tenant AND is_default AND id <> v_id;
    END IF;
    v_published := ARRAY[tax_class_document(p_tenant, v_default_before), tax_class_document(p_tenant, v_id)];
    IF v_default THEN
        UPDATE tax_classes SET is_default = false, version = version + 1, updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND is_default AND id <> v_id;
    END IF;
    IF v_before IS NULL THEN
        INSERT INTO tax_classes (tenant_id, id, name, is_default) VALUES (p_tenant, v_id, p -> 'name', v_default);
    ELSE
        UPDATE tax_classes SET name = p -> 'name', is_default = v_default, version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id;
        DELETE FROM tax_rates WHERE tenant_id = p_tenant AND class_id = v_id;
    END IF;
    INSERT INTO tax_rates (tenant_id, class_id, starts_on, rate)
    SELECT p_tenant, v_id, r.starts_on, r.rate
    FROM jsonb_to_recordset(p -> 'rates') AS r (starts_on date, rate numeric);
    SELECT to_jsonb(c) || jsonb_build_object('rates', tax_rates_json(p_tenant, v_id)) INTO v_after FROM tax_classes c
    WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'tax_class.created' ELSE 'tax_class.updated' END, v_id,
        coalesce(p #>> '{name,en}', p #>> '{name,ar}'), v_before, v_after);
    PERFORM emit_change(p_tenant, 'tax_class.updated', v_published[1], tax_class_document(p_tenant, v_default_before))
    WHERE v_default_before IS NOT NULL;
    PERFORM emit_change(p_tenant, CASE WHEN v_before IS NULL THEN 'tax_class.created' ELSE 'tax_class.updated' END,
        v_published[2], tax_class_document(p_tenant, v_id));
    RETURN v_id;
END $$;
