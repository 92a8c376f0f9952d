-- For functions that change the lines of a sale: called with -1 before the change and with 1 after it. The difference
-- counts on the day of the change. The first call only remembers the lines; the second one takes the counter
-- `order_number`, so it comes after the locks of providers and products. Nothing happens for an order that is not a
-- sale.
CREATE OR REPLACE FUNCTION add_order_to_reports(p_tenant uuid, p_order uuid, p_sign integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    o orders;
    v_at timestamptz;
    v_day date;
    v_first date;
    v_summed bigint;
    v_total numeric;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    IF o.status IN ('draft', 'canceled') THEN
        RETURN;
    END IF;
    INSERT INTO sale_changes (tenant_id, order_id, id, item_id, staff_id, tax_rate, quantity, total, tax_amount,
        discount_amount)
    SELECT p_tenant, p_order, uuid_v7(clock_timestamp()), coalesce(l.item_id, l.package_id),
        coalesce(l.staff_id, c_none),
        l.tax_rate, p_sign * l.quantity, p_sign * l.total, p_sign * l.tax_amount, p_sign * l.discount_amount
    FROM order_lines l WHERE l.tenant_id = p_tenant AND l.order_id = p_order;
    IF p_sign < 0 THEN
        RETURN;
    END IF;
    SELECT summed INTO v_summed FROM tenant_counters
    WHERE tenant_id = p_tenant AND name = 'order_number' FOR NO KEY UPDATE;
    SELECT greatest(clock_timestamp(), max(created_at) + interval '1 microsecond') INTO v_at FROM sale_changes
    WHERE tenant_id = p_tenant AND order_id = p_order;
    v_day := report_day(p_tenant, v_at);
    INSERT INTO sale_changes (tenant_id, order_id, id, item_id, staff_id, tax_rate, quantity, total, tax_amount,
        discount_amount, created_at)
    SELECT p_tenant, p_order, uuid_v7(v_at), c.item_id, c.staff_id, c.tax_rate, c.quantity, c.total, c.tax_amount,
        c.discount_amount, v_at
    FROM (SELECT item_id, staff_id, tax_rate, sum(quantity) AS quantity, sum(total) AS total,
        sum(tax_amount) AS tax_amount,
            sum(discount_amount) AS discount_amount
            FROM sale_changes WHERE tenant_id = p_tenant AND order_id = p_order AND created_at IS NULL
            GROUP BY item_id, staff_id, tax_rate) c
    WHERE (c.quantity, c.total, c.tax_amount, c.discount_amount) <> (0, 0, 0, 0);
    DELETE FROM sale_changes WHERE tenant_id = p_tenant AND order_id = p_order AND created_at IS NULL;
    IF o.order_number > v_summed THEN
        PERFORM sum_sales(p_tenant); -- with the lines as they were before
    END IF;

    INSERT INTO item_sums AS s (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
    SELECT c.tenant_id, d.is_month, d.day, o.branch_id, c.item_id, c.staff_id, sum(c.quantity), sum(c.total),
        sum(c.tax_amount)
    FROM sale_changes c CROSS JOIN report_buckets(v_day) d
    WHERE c.tenant_id = p_tenant AND c.order_id = p_order AND c.created_at = v_at
    GROUP BY c.tenant_id, d.is_month, d.day, c.item_id, c.staff_id
    ORDER BY d.is_month, c.item_id, c.staff_id
    ON CONFLICT (tenant_id, is_month, day, branch_id, item_id, staff_id) DO UPDATE
        SET quantity = s.quantity + excluded.quantity, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount;
    INSERT INTO source_sums AS s (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
        tax_amount, discount_amount)
    SELECT c.tenant_id, v_day, o.branch_id, o.source,
        CASE WHEN o.created_by_type = 'app' THEN o.created_by_id ELSE c_none END, c.tax_rate, 'change', 0, sum(c.total),
        sum(c.tax_amount), sum(c.discount_amount)
    FROM sale_changes c WHERE c.tenant_id = p_tenant AND c.order_id = p_order AND c.created_at = v_at
    GROUP BY c.tenant_id, c.tax_rate HAVING (sum(c.total), sum(c.tax_amount), sum(c.discount_amount)) <> (0, 0, 0)
    ORDER BY c.tax_rate
    ON CONFLICT (tenant_id, day, branch_id, source, client_id, tax_rate, kind) DO UPDATE
        SET total = s.total + excluded.total, tax_amount = s.tax_amount + excluded.tax_amount,
            discount_amount = s.discount_amount + excluded.discount_amount;
    SELECT coalesce(sum(total), 0) INTO v_total FROM sale_changes
    WHERE tenant_id = p_tenant AND order_id = p_order AND created_at = v_at;
    IF o.customer_id IS NOT NULL AND v_total <> 0 THEN
        SELECT first_day INTO v_first FROM customer_sums
        WHERE tenant_id = p_tenant AND customer_id = o.customer_id LIMIT 1;
        INSERT INTO customer_sums AS s (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
        SELECT p_tenant, o.customer_id, d.is_month, d.day, o.branch_id, coalesce(v_first, v_day), 0, v_total
        FROM report_buckets(v_day) d
        ON CONFLICT (tenant_id, customer_id, is_month, day, branch_id) DO UPDATE SET total = s.total + excluded.total;
    END IF;
END $$;
