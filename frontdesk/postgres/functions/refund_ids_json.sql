-- The ids of an order's refunds, which are orders too, as an array in the order of their numbers.
CREATE OR REPLACE FUNCTION refund_ids_json(p_tenant uuid, o orders) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_ids json;
BEGIN
    IF o.refunded_amount > 0 THEN
        SELECT json_agg(r.id ORDER BY r.order_number) INTO v_ids
        FROM orders r WHERE r.tenant_id = p_tenant AND r.parent_id = o.id;
    END IF;
    RETURN coalesce(v_ids, '[]');
END $$;
