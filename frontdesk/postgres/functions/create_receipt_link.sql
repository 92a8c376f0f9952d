-- Makes the public address of an order's receipt, and returns its id; an order keeps its first one.
CREATE OR REPLACE FUNCTION create_receipt_link(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    o orders;
    v_link uuid;
BEGIN
    o := lock_order(p_tenant, v_order, NULL);
    INSERT INTO receipt_links (tenant_id, id, order_id)
    VALUES (p_tenant, gen_random_uuid(), v_order)
    ON CONFLICT (tenant_id, order_id) DO NOTHING RETURNING id INTO v_link;
    IF v_link IS NULL THEN
        RETURN (SELECT id FROM receipt_links WHERE tenant_id = p_tenant AND order_id = v_order);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.receipt_shared', v_order, o.order_number::text);
    RETURN v_link;
END $$;
