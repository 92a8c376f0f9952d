-- Puts the payment methods into the given order, and returns the tenant. Those that are not listed come last. `id` is
-- the method that was moved; of the others only the place changes.
CREATE OR REPLACE FUNCTION order_payment_methods(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_ids uuid[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'ids'))::uuid[];
    v_before integer;
BEGIN
    PERFORM FROM payment_methods WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    v_before := array_position(
        ARRAY(SELECT id FROM payment_methods WHERE tenant_id = p_tenant ORDER BY sort_order, created_at, id), v_id);
    UPDATE payment_methods m SET sort_order = coalesce(array_position(v_ids, m.id), 1000) WHERE m.tenant_id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'payment_method.updated', v_id, localized(m.name),
        jsonb_build_object('sort_order', v_before), jsonb_build_object('sort_order', array_position(v_ids, v_id)))
    FROM payment_methods m WHERE m.tenant_id = p_tenant AND m.id = v_id;
    RETURN p_tenant;
END $$;
