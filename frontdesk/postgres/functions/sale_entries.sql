-- Every time that an order of a tenant became a sale or stopped being one, and every refund: what sum_sales and
-- add_sale_to_reports count, read from the ledger. A refund of an order that is canceled also counts with the other
-- sign, when the later of the two happened. The day is that of report_day, which would take a minute for a million
-- calls.
CREATE OR REPLACE FUNCTION sale_entries(p_tenant uuid)
RETURNS TABLE (order_id uuid, branch_id uuid, kind text, sign integer, entered_at timestamptz, day date)
LANGUAGE sql STABLE AS $$
    SELECT e.order_id, e.branch_id, e.kind, e.sign, e.entered_at, d.day
    FROM (
        SELECT o.id AS order_id, o.branch_id, CASE WHEN o.parent_id IS NOT NULL THEN 'refund'
                WHEN h.to_status = 'canceled' THEN 'cancellation' ELSE 'sale' END AS kind,
            CASE WHEN h.to_status = 'canceled' THEN -1 ELSE 1 END AS sign, h.created_at AS entered_at
        FROM order_status_history h JOIN orders o ON o.tenant_id = p_tenant AND o.id = h.order_id
        WHERE h.tenant_id = p_tenant
            AND (coalesce(h.from_status, 'draft') IN ('draft', 'canceled')) <> (h.to_status IN ('draft', 'canceled'))
        UNION ALL
        SELECT r.id, r.branch_id, 'canceled_refund', -1, greatest(r.created_at, (
            SELECT max(h.created_at) FROM order_status_history h
            WHERE h.tenant_id = p_tenant AND h.order_id = o.id AND h.to_status = 'canceled'))
        FROM orders r JOIN orders o ON o.tenant_id = p_tenant AND o.id = r.parent_id AND o.status = 'canceled'
        WHERE r.tenant_id = p_tenant AND r.parent_id IS NOT NULL
    ) e
    CROSS JOIN LATERAL (
        SELECT (e.entered_at AT TIME ZONE 'UTC' + z.shift)::date AS day FROM time_zone_offsets z
        WHERE z.zone = (SELECT timezone FROM tenants WHERE id = p_tenant) AND z.starts <= e.entered_at
        ORDER BY z.starts DESC LIMIT 1) d
$$;
