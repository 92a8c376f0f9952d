-- The published form of an order with everything, and the versions of what it shows. Nulls for an unknown id. VOLATILE,
-- so that it sees what the same statement has just written. The version of a row is read with the row; that of the
-- payment methods before their names.
CREATE OR REPLACE FUNCTION render_order(p_tenant uuid, p_order uuid, OUT document json, OUT versions text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    b branches;
    c customers;
    v_tenant integer;
    v_zone text;
    v_decimals integer;
    v_methods bigint;
    v_changed timestamptz;
    v_customer json;
    v_bookings json;
    v_history json;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT version, timezone, currency_decimals INTO v_tenant, v_zone, v_decimals FROM tenants WHERE id = p_tenant;
    SELECT sum(version), max(updated_at) INTO v_methods, v_changed FROM payment_methods WHERE tenant_id = p_tenant;
    SELECT * INTO b FROM branches WHERE tenant_id = p_tenant AND id = o.branch_id;
    IF o.customer_id IS NOT NULL THEN
        SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id;
        v_customer := customer_json(c);
    END IF;
    SELECT json_agg(json_build_object(
        'from', h.from_status, 'to', h.to_status, 'note', h.note,
        'previous_start', CASE WHEN h.previous_start IS NOT NULL THEN format_local(h.previous_start, v_zone) END,
        'new_start', CASE WHEN h.new_start IS NOT NULL THEN format_local(h.new_start, v_zone) END,
        'changed_by', changed_by_json(h.changed_by_type, h.changed_by_id),
        'created_at', format_utc(h.created_at)) ORDER BY h.created_at, h.id)
    INTO v_history FROM order_status_history h
    WHERE h.tenant_id = p_tenant AND h.order_id = p_order AND (h.new_total IS NULL OR h.new_start IS NOT NULL);
    v_bookings := order_bookings_json(p_tenant, o, v_zone);
    document := json_build_object(
        'id', o.id, 'order_number', o.order_number::text, 'parent_id', o.parent_id, 'status', o.status,
        'payment_status', o.payment_status, 'source', o.source,
        'customer', v_customer, 'branch', branch_json(b),
        'items', order_items_json(p_tenant, p_order, v_decimals), 'currency', o.currency,
        'total', round(o.total, v_decimals), 'discount_amount', round(o.discount_amount, v_decimals),
        'tax_amount', round(o.tax_amount, v_decimals),
        'paid_amount', round(o.paid_amount, v_decimals), 'refunded_amount', round(o.refunded_amount, v_decimals),
        'remaining_amount', round(greatest(o.total - o.paid_amount, 0), v_decimals),
        'start', format_local(o.starts_at, v_zone), 'note', o.note, 'refund_ids', refund_ids_json(p_tenant, o),
        'bookings', v_bookings, 'status_history', coalesce(v_history, '[]'),
        'transactions', order_transactions_json(p_tenant, o, v_bookings -> 0, v_decimals, v_zone),
        'created_at', format_utc(o.created_at), 'updated_at', format_utc(o.updated_at));
    versions := order_versions(
        o.version, v_tenant, b.version, v_methods, v_changed, c.version,
        coalesce(json_array_length(v_customer -> 'tags'), 0));
END $$;
