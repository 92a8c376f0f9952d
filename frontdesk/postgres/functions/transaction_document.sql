-- The published form of one transaction. Null for an unknown id.
CREATE OR REPLACE FUNCTION transaction_document(p_tenant uuid, p_transaction uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t transactions;
    m payment_methods;
    o orders;
    n tenants;
BEGIN
    SELECT * INTO t FROM transactions WHERE tenant_id = p_tenant AND id = p_transaction;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO m FROM payment_methods WHERE tenant_id = p_tenant AND id = t.payment_method_id;
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = t.order_id;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    RETURN transaction_json(t, m, o.order_number, order_bookings_json(p_tenant, o, n.timezone) -> 0,
                            n.currency_decimals, n.timezone);
END $$;
