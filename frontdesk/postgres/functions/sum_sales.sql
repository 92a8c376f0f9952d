-- Adds the sales since the last call to the sums of the reports, so that creating an order adds to none of them. Holds
-- the counter `order_number` until the transaction ends. It is called for every 25th order, and before an act that
-- changes a sale.
CREATE OR REPLACE FUNCTION sum_sales(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last bigint;
    v_summed bigint;
BEGIN
    SELECT value, summed INTO v_last, v_summed FROM tenant_counters
    WHERE tenant_id = p_tenant AND name = 'order_number' FOR NO KEY UPDATE;
    IF NOT FOUND OR v_summed = v_last THEN
        RETURN;
    END IF;
    WITH l AS MATERIALIZED (SELECT * FROM unsummed_sale_lines WHERE tenant_id = p_tenant), items AS (
        INSERT INTO item_sums AS s (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
        SELECT p_tenant, l.is_month, l.day, l.branch_id, l.item_id, l.staff_id, sum(l.quantity), sum(l.total),
            sum(l.tax_amount)
        FROM l GROUP BY l.is_month, l.day, l.branch_id, l.item_id, l.staff_id
        ON CONFLICT (tenant_id, is_month, day, branch_id, item_id, staff_id) DO UPDATE
            SET quantity = s.quantity + excluded.quantity, total = s.total + excluded.total,
                tax_amount = s.tax_amount + excluded.tax_amount
    ), sources AS (
        INSERT INTO source_sums AS s (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
            tax_amount, discount_amount)
        SELECT p_tenant, l.day, l.branch_id, l.source, l.client_id, l.tax_rate, 'sale', sum(l.orders), sum(l.total),
            sum(l.tax_amount), sum(l.discount_amount)
        FROM l WHERE NOT l.is_month GROUP BY l.day, l.branch_id, l.source, l.client_id, l.tax_rate
        ON CONFLICT (tenant_id, day, branch_id, source, client_id, tax_rate, kind) DO UPDATE
            SET orders = s.orders + excluded.orders, total = s.total + excluded.total,
                tax_amount = s.tax_amount + excluded.tax_amount,
                discount_amount = s.discount_amount + excluded.discount_amount
    )
    INSERT INTO customer_sums AS s (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
    SELECT p_tenant, l.customer_id, l.is_month, l.day, l.branch_id, coalesce((
            SELECT f.first_day FROM customer_sums f
            WHERE f.tenant_id = p_tenant AND f.customer_id = l.customer_id LIMIT 1),
            min(l.day) FILTER (WHERE NOT l.is_month) OVER (PARTITION BY l.customer_id)),
        sum(l.orders), sum(l.total)
    FROM l WHERE l.customer_id IS NOT NULL GROUP BY l.customer_id, l.is_month, l.day, l.branch_id
    ON CONFLICT (tenant_id, customer_id, is_month, day, branch_id) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total;
    UPDATE tenant_counters SET summed = v_last WHERE tenant_id = p_tenant AND name = 'order_number';
END $$;
