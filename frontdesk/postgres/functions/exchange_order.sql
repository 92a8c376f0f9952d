-- Refunds lines of an order and creates the order that the customer takes instead, both or neither. Returns the new
-- one's id. What both need is locked first, in the order of docs/concurrency.md.
CREATE OR REPLACE FUNCTION exchange_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM lock_order_resources(p_tenant, (p #>> '{refund,order_id}')::uuid, ARRAY(
        SELECT coalesce(l ->> 'item_id', l ->> 'package_id')::uuid FROM jsonb_array_elements(p #> '{order,lines}') l));
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id = (p #>> '{order,customer_id}')::uuid FOR KEY SHARE;
    PERFORM next_number(p_tenant, 'order_number', 0);
    PERFORM next_number(p_tenant, 'transaction_no', 0);
    PERFORM refund_order(p_tenant, (p -> 'refund') || jsonb_build_object('actor', p -> 'actor'));
    RETURN create_order(p_tenant, (p -> 'order') || jsonb_build_object('actor', p -> 'actor'));
END $$;
