-- Adds the lines of an order to the sums of a day, or takes them away: for everything but the sale of a new order,
-- which sum_sales adds. The caller holds the counter `order_number`, so that a tenant's writers come one after the
-- other, and has called sum_sales before it changed the order. A refund counts for the source of the sale.
CREATE OR REPLACE FUNCTION add_sale_to_reports(p_tenant uuid, p_order uuid, p_kind text, p_sign integer,
    p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    o record;
    v_day date;
BEGIN
    SELECT r.branch_id, r.customer_id, r.parent_id, r.total, s.source,
        CASE WHEN s.created_by_type = 'app' THEN s.created_by_id ELSE c_none END AS client_id INTO o
    FROM orders r JOIN orders s ON s.tenant_id = p_tenant AND s.id = coalesce(r.parent_id, r.id)
    WHERE r.tenant_id = p_tenant AND r.id = p_order;
    v_day := report_day(p_tenant, p_at);
    INSERT INTO item_sums AS s (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
    SELECT p_tenant, d.is_month, d.day, o.branch_id, coalesce(l.item_id, l.package_id), coalesce(l.staff_id, c_none),
        p_sign * sum(CASE WHEN l.parent_line_id IS NULL THEN l.quantity ELSE -l.returned END), p_sign * sum(l.total),
        p_sign * sum(l.tax_amount)
    FROM order_lines l CROSS JOIN report_buckets(v_day) d WHERE l.tenant_id = p_tenant AND l.order_id = p_order
    GROUP BY d.is_month, d.day, coalesce(l.item_id, l.package_id), coalesce(l.staff_id, c_none)
    ON CONFLICT (tenant_id, is_month, day, branch_id, item_id, staff_id) DO UPDATE
        SET quantity = s.quantity + excluded.quantity, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount;
    INSERT INTO source_sums AS s (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
        tax_amount, discount_amount)
    SELECT p_tenant, v_day, o.branch_id, o.source, o.client_id, l.tax_rate, p_kind,
        p_sign * count(*) FILTER (WHERE l.position = (
            SELECT min(f.position) FROM order_lines f WHERE f.tenant_id = p_tenant AND f.order_id = p_order)),
        p_sign * sum(l.total), p_sign * sum(l.tax_amount), p_sign * sum(l.discount_amount)
    FROM order_lines l WHERE l.tenant_id = p_tenant AND l.order_id = p_order
    GROUP BY l.tax_rate
    ON CONFLICT (tenant_id, day, branch_id, source, client_id, tax_rate, kind) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount,
            discount_amount = s.discount_amount + excluded.discount_amount;
    IF o.customer_id IS NOT NULL THEN
        INSERT INTO customer_sums AS s (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
        SELECT p_tenant, o.customer_id, d.is_month, d.day, o.branch_id, coalesce((
                SELECT f.first_day FROM customer_sums f
                WHERE f.tenant_id = p_tenant AND f.customer_id = o.customer_id LIMIT 1), v_day),
            CASE WHEN o.parent_id IS NULL THEN p_sign ELSE 0 END, p_sign * o.total
        FROM report_buckets(v_day) d
        ON CONFLICT (tenant_id, customer_id, is_month, day, branch_id) DO UPDATE
            SET orders = s.orders + excluded.orders, total = s.total + excluded.total;
    END IF;
END $$;
