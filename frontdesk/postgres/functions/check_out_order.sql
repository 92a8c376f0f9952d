-- Changes the lines of an order and records its payments and tips, both or neither, and returns the order's id. What
-- both need is locked first, in the order of docs/concurrency.md.
CREATE OR REPLACE FUNCTION check_out_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p #>> '{edit,order_id}')::uuid;
BEGIN
    PERFORM lock_order_resources(p_tenant, v_order, ARRAY(
        SELECT coalesce(l ->> 'item_id', l ->> 'package_id')::uuid FROM jsonb_array_elements(p #> '{edit,added}') l));
    IF (p #>> '{payments,on_account}')::boolean
            OR (SELECT on_account FROM orders WHERE tenant_id = p_tenant AND id = v_order) THEN
        PERFORM FROM customers c WHERE c.tenant_id = p_tenant AND c.id = (
            SELECT customer_id FROM orders WHERE tenant_id = p_tenant AND id = v_order) FOR NO KEY UPDATE;
    ELSE
        PERFORM FROM customers c WHERE c.tenant_id = p_tenant AND c.id = (
            SELECT customer_id FROM orders WHERE tenant_id = p_tenant AND id = v_order) FOR KEY SHARE;
    END IF;
    PERFORM next_number(p_tenant, 'order_number', 0);
    PERFORM next_number(p_tenant, 'transaction_no', 0);
    PERFORM edit_order(p_tenant, (p -> 'edit') || jsonb_build_object('actor', p -> 'actor', 'paid_now', (
        SELECT coalesce(sum((e ->> 'amount')::numeric), 0) FROM jsonb_array_elements(p #> '{payments,payments}') e)));
    RETURN take_payments(p_tenant, (p -> 'payments') || jsonb_build_object(
        'actor', p -> 'actor', 'version', (p #>> '{edit,version}')::integer + 1));
END $$;
