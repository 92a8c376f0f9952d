-- Puts the payment methods into the given order, and returns the tenant. Those that are not listed come last.
CREATE OR REPLACE FUNCTION order_payment_methods(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM payment_methods WHERE tenant_id = p_tenant ORDER BY id FOR NO KEY UPDATE;
    UPDATE payment_methods m SET sort_order = coalesce(
        array_position(ARRAY(SELECT jsonb_array_elements_text(p -> 'ids'))::uuid[], m.id), 1000)
    WHERE m.tenant_id = p_tenant;
    RETURN p_tenant;
END $$;
