-- Changes the name of a payment method, or whether it is active, and returns its id.
CREATE OR REPLACE FUNCTION update_payment_method(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before payment_methods;
    v_after payment_methods;
    v_published json;
BEGIN
    SELECT * INTO v_before FROM payment_methods WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF NOT FOUND OR v_before.version <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := payment_method_document(p_tenant, v_id);
    UPDATE payment_methods SET name = p -> 'name', active = (p ->> 'active')::boolean,
        updated_at = monotonic_now(updated_at), version = version + 1
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'payment_method.updated', v_id,
        coalesce(v_after.name ->> 'en', v_after.name ->> 'ar'), to_jsonb(v_before), to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'payment_method.updated', v_published, payment_method_document(p_tenant, v_id));
    RETURN v_id;
END $$;
