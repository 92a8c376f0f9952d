-- Adds the lines of an order to the sums of a day, or takes them away. The caller holds the counter `order_number`, so that a
-- tenant's writers come one after the other. A refund counts for the source of the sale.
CREATE OR REPLACE FUNCTION add_sale_to_reports(p_tenant uuid, p_order uuid, p_kind text, p_sign integer, p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    o orders;
    v_source orders;
    v_day date;
    v_first date;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    v_source := o;
    IF o.parent_id IS NOT NULL THEN
        SELECT * INTO v_source FROM orders WHERE tenant_id = p_tenant AND id = o.parent_id;
    END IF;
    v_day := report_day(p_tenant, o.branch_id, p_at);
    INSERT INTO sales_by_item AS s (tenant_id, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
    SELECT l.tenant_id, v_day, o.branch_id, coalesce(l.item_id, l.package_id), coalesce(l.staff_id, c_none),
        p_sign * sum(CASE WHEN l.parent_line_id IS NULL THEN l.quantity ELSE -l.returned END), p_sign * sum(l.total),
        p_sign * sum(l.tax_amount)
    FROM order_lines l WHERE l.tenant_id = p_tenant AND l.order_id = p_order
    GROUP BY l.tenant_id, coalesce(l.item_id, l.package_id), coalesce(l.staff_id, c_none)
    ORDER BY 4, 5
    ON CONFLICT (tenant_id, day, branch_id, item_id, staff_id) DO UPDATE
        SET quantity = s.quantity + excluded.quantity, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount;
    INSERT INTO sales_by_source AS s (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
        tax_amount, discount_amount)
    SELECT l.tenant_id, v_day, o.branch_id, v_source.source,
        CASE WHEN v_source.created_by_type = 'app' THEN v_source.created_by_id ELSE c_none END, l.tax_rate, p_kind,
        p_sign * count(*) FILTER (WHERE l.is_first), p_sign * sum(l.total), p_sign * sum(l.tax_amount),
        p_sign * sum(l.discount_amount)
    FROM (SELECT tenant_id, tax_rate, total, tax_amount, discount_amount,
                 row_number() OVER (PARTITION BY tenant_id ORDER BY position) = 1 AS is_first
          FROM order_lines WHERE tenant_id = p_tenant AND order_id = p_order) l
    GROUP BY l.tenant_id, l.tax_rate
    ORDER BY l.tax_rate
    ON CONFLICT (tenant_id, day, branch_id, source, client_id, tax_rate, kind) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total,
            tax_amount = s.tax_amount + excluded.tax_amount,
            discount_amount = s.discount_amount + excluded.discount_amount;
    IF o.customer_id IS NOT NULL THEN
        SELECT first_day INTO v_first FROM sales_by_customer
        WHERE tenant_id = p_tenant AND customer_id = o.customer_id LIMIT 1;
        INSERT INTO sales_by_customer AS s (tenant_id, customer_id, day, branch_id, first_day, orders, total)
        VALUES (p_tenant, o.customer_id, v_day, o.branch_id, coalesce(v_first, v_day),
            CASE WHEN o.parent_id IS NULL THEN p_sign ELSE 0 END, p_sign * o.total)
        ON CONFLICT (tenant_id, customer_id, day, branch_id) DO UPDATE
            SET orders = s.orders + excluded.orders, total = s.total + excluded.total;
    END IF;
END $$;
