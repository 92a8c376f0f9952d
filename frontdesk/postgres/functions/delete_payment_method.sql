-- Deletes a payment method that has no transactions and no tips, and returns its id.
CREATE OR REPLACE FUNCTION delete_payment_method(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before payment_methods;
    v_published json := payment_method_document(p_tenant, v_id);
BEGIN
    SELECT * INTO v_before FROM payment_methods WHERE tenant_id = p_tenant AND id = v_id FOR UPDATE;
    IF NOT FOUND OR v_before.version <> (p ->> 'version')::integer
        OR EXISTS (SELECT FROM transactions WHERE tenant_id = p_tenant AND payment_method_id = v_id)
        OR EXISTS (SELECT FROM tips WHERE tenant_id = p_tenant AND payment_method_id = v_id) THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM payment_methods WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'payment_method.deleted', v_id,
        coalesce(v_before.name ->> 'en', v_before.name ->> 'ar'), to_jsonb(v_before));
    PERFORM emit_change(p_tenant, 'payment_method.deleted', v_published, NULL);
    RETURN v_id;
END $$;
