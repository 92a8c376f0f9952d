-- The published form of a series of orders. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION order_series_document(p_tenant uuid, p_series uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', r.id, 'every_weeks', r.every_weeks, 'created_at', format_utc(r.created_at),
        'orders', (
            SELECT coalesce(json_agg(json_build_object('id', o.id, 'order_number', o.order_number::text,
                'status', o.status, 'start', format_local(o.starts_at, t.timezone)) ORDER BY o.starts_at, o.id), '[]')
            FROM orders o WHERE o.tenant_id = p_tenant AND o.series_id = r.id))
    INTO v_document FROM order_series r, tenants t
    WHERE r.tenant_id = p_tenant AND r.id = p_series AND t.id = p_tenant;
    RETURN v_document;
END $$;
