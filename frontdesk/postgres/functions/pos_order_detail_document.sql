-- GET /pos/orders/{orderId}: an order as after a write, with its customer, branch and refunds.
CREATE OR REPLACE FUNCTION pos_order_detail_document(p_tenant uuid, p_order uuid) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    b branches;
    c customers;
    n tenants;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    SELECT * INTO b FROM branches WHERE tenant_id = p_tenant AND id = o.branch_id;
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id;
    RETURN pos_order_document(p_tenant, p_order) || jsonb_build_object(
        'parent_id', o.parent_id, 'source', o.source,
        'customer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
            'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone) END,
        'branch', json_build_object('id', b.id, 'name', b.name), 'start', format_local(o.starts_at, n.timezone),
        'note', o.note, 'refund_ids', refund_ids_json(p_tenant, o), 'updated_at', format_utc(o.updated_at));
END $$;
