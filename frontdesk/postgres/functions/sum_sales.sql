-- Adds the sales since the last call to the sums of the reports, so that creating an order adds to none of them. Holds
-- the counter `order_number` until the transaction ends. It is called for every 25th order, and before an act that
-- changes a sale.
CREATE OR REPLACE FUNCTION sum_sales(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last bigint;
    v_summed bigint;
    v_lines unsummed_sale_lines[];
BEGIN
    SELECT value, summed INTO v_last, v_summed FROM tenant_counters
    WHERE tenant_id = p_tenant AND name = 'order_number' FOR NO KEY UPDATE;
    IF NOT FOUND OR v_summed = v_last THEN
        RETURN;
    END IF;
    -- The rows of the view unsummed_sale_lines, read once for three tables. Citus asks every node for the view, because
    -- its tables have no condition with p_tenant, and copies the lines of a WITH that writes to every node.
    SELECT array_agg(ROW(p_tenant, d.is_month, d.day, s.branch_id, s.customer_id, s.source, s.client_id, l.item_id,
        l.staff_id, l.tax_rate, l.orders, l.quantity, l.total, l.tax_amount, l.discount_amount)::unsummed_sale_lines)
    INTO v_lines
    FROM unsummed_sales s
    CROSS JOIN LATERAL (VALUES (false, s.day), (true, date_trunc('month', s.day::timestamp)::date)) d (is_month, day)
    CROSS JOIN LATERAL (
        SELECT coalesce(l.item_id, l.package_id) AS item_id,
            coalesce(l.staff_id, '00000000-0000-0000-0000-000000000000') AS staff_id, l.tax_rate,
            CASE WHEN EXISTS (SELECT FROM order_lines f WHERE f.tenant_id = p_tenant AND f.order_id = l.order_id
                AND f.position < l.position) THEN 0 ELSE 1 END AS orders,
            l.quantity::bigint, l.total, l.tax_amount, l.discount_amount
        FROM order_lines l WHERE l.tenant_id = p_tenant AND l.order_id = s.id
        UNION ALL
        SELECT c.item_id, c.staff_id, c.tax_rate, 0, -c.quantity, -c.total, -c.tax_amount, -c.discount_amount
        FROM sale_changes c WHERE c.tenant_id = p_tenant AND c.order_id = s.id AND c.created_at IS NOT NULL) l
    WHERE s.tenant_id = p_tenant;
    INSERT INTO item_sums AS s (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
    SELECT p_tenant, l.is_month, l.day, l.branch_id, l.item_id, l.staff_id, sum(l.quantity), sum(l.total),
        sum(l.tax_amount)
    FROM unnest(v_lines) l GROUP BY l.is_month, l.day, l.branch_id, l.item_id, l.staff_id
    ON CONFLICT (tenant_id, is_month, day, branch_id, item_id, staff_id) DO UPDATE
        SET quantity = s.quantity + excluded.quantity, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount;
    INSERT INTO source_sums AS s (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
        tax_amount, discount_amount)
    SELECT p_tenant, l.day, l.branch_id, l.source, l.client_id, l.tax_rate, 'sale', sum(l.orders), sum(l.total),
        sum(l.tax_amount), sum(l.discount_amount)
    FROM unnest(v_lines) l WHERE NOT l.is_month GROUP BY l.day, l.branch_id, l.source, l.client_id, l.tax_rate
    ON CONFLICT (tenant_id, day, branch_id, source, client_id, tax_rate, kind) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount,
            discount_amount = s.discount_amount + excluded.discount_amount;
    INSERT INTO customer_sums AS s (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
    SELECT p_tenant, l.customer_id, l.is_month, l.day, l.branch_id, coalesce((
            SELECT f.first_day FROM customer_sums f
            WHERE f.tenant_id = p_tenant AND f.customer_id = l.customer_id LIMIT 1),
            min(l.day) FILTER (WHERE NOT l.is_month) OVER (PARTITION BY l.customer_id)),
        sum(l.orders), sum(l.total)
    FROM unnest(v_lines) l WHERE l.customer_id IS NOT NULL GROUP BY l.customer_id, l.is_month, l.day, l.branch_id
    ON CONFLICT (tenant_id, customer_id, is_month, day, branch_id) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total;
    UPDATE tenant_counters SET summed = v_last WHERE tenant_id = p_tenant AND name = 'order_number';
END $$;
