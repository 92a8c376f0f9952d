-- Puts the payment methods into the given order, and returns the tenant. Those that are not listed come last. `id` is
-- the method that was moved; of the others only the place changes.
CREATE OR REPLACE FUNCTION order_payment_methods(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_ids uuid[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'ids'))::uuid[];
    v_before integer;
    v_moved uuid[];
    v_published json[];
BEGIN
    PERFORM FROM payment_methods WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    v_before := array_position(
        ARRAY(SELECT id FROM payment_methods WHERE tenant_id = p_tenant ORDER BY sort_order, created_at, id), v_id);
    SELECT array_agg(m.id ORDER BY m.id), array_agg(payment_method_document(p_tenant, m.id) ORDER BY m.id)
    INTO v_moved, v_published FROM payment_methods m
    WHERE m.tenant_id = p_tenant AND m.sort_order <> coalesce(array_position(v_ids, m.id), 1000);
    UPDATE payment_methods m SET sort_order = coalesce(array_position(v_ids, m.id), 1000),
        updated_at = monotonic_now(m.updated_at)
    WHERE m.tenant_id = p_tenant AND m.id = ANY (v_moved);
    PERFORM record_activity(p_tenant, p -> 'actor', 'payment_method.updated', v_id, localized(m.name),
        jsonb_build_object('sort_order', v_before), jsonb_build_object('sort_order', array_position(v_ids, v_id)))
    FROM payment_methods m WHERE m.tenant_id = p_tenant AND m.id = v_id;
    PERFORM emit_changes(p_tenant, 'payment_method.updated', v_published,
        ARRAY(SELECT payment_method_document(p_tenant, m.id) FROM unnest(v_moved) AS m (id) ORDER BY m.id));
    RETURN p_tenant;
END $$;
