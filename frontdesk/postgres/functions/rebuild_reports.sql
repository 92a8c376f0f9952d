-- Computes the sums of the reports from orders, their status history, changes, transactions and tips: for code that
-- inserts many orders at once. The acts keep them equal to this.
CREATE OR REPLACE FUNCTION rebuild_reports(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    PERFORM FROM tenant_counters WHERE tenant_id = p_tenant AND name IN ('order_number', 'transaction_no')
    ORDER BY name FOR NO KEY UPDATE;
    DELETE FROM item_sums WHERE tenant_id = p_tenant;
    DELETE FROM source_sums WHERE tenant_id = p_tenant;
    DELETE FROM customer_sums WHERE tenant_id = p_tenant;
    DELETE FROM method_sums WHERE tenant_id = p_tenant;

    WITH e AS MATERIALIZED (SELECT * FROM sale_entry_lines(p_tenant)), items AS (
        INSERT INTO item_sums (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
        SELECT p_tenant, d.is_month, d.day, e.branch_id, e.item_id, e.staff_id, sum(e.quantity), sum(e.total),
            sum(e.tax_amount)
        FROM e CROSS JOIN LATERAL report_buckets(e.day) d
        GROUP BY d.is_month, d.day, e.branch_id, e.item_id, e.staff_id
    ), sources AS (
        INSERT INTO source_sums (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
            tax_amount,
            discount_amount)
        SELECT p_tenant, e.day, e.branch_id, s.source,
            CASE WHEN s.created_by_type = 'app' THEN s.created_by_id ELSE c_none END, e.tax_rate, e.kind, sum(e.orders),
            sum(e.total), sum(e.tax_amount), sum(e.discount_amount)
        FROM e JOIN orders o ON o.tenant_id = p_tenant AND o.id = e.order_id
        JOIN orders s ON s.tenant_id = p_tenant AND s.id = coalesce(o.parent_id, o.id)
        GROUP BY e.day, e.branch_id, s.source, 5, e.tax_rate, e.kind
    )
    INSERT INTO customer_sums (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
    SELECT p_tenant, c.customer_id, c.is_month, c.day, c.branch_id,
        min(c.day) FILTER (WHERE NOT c.is_month) OVER (PARTITION BY c.customer_id), c.orders, c.total
    FROM (
        SELECT o.customer_id, d.is_month, d.day, e.branch_id,
            sum(CASE WHEN o.parent_id IS NULL THEN e.orders ELSE 0 END) AS orders,
            sum(e.total) AS total
        FROM e JOIN orders o ON o.tenant_id = p_tenant AND o.id = e.order_id CROSS JOIN LATERAL report_buckets(e.day) d
        WHERE o.customer_id IS NOT NULL GROUP BY o.customer_id, d.is_month, d.day, e.branch_id) c;
    UPDATE tenant_counters SET summed = 0 WHERE tenant_id = p_tenant AND name = 'transaction_no';
    PERFORM sum_payments(p_tenant);
    INSERT INTO method_sums (tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount)
    SELECT p_tenant, report_day(p_tenant, t.created_at), o.branch_id, t.payment_method_id, 'tip',
        coalesce(t.staff_id, c_none), count(*), sum(t.amount)
    FROM tips t JOIN orders o ON o.tenant_id = p_tenant AND o.id = t.order_id
    WHERE t.tenant_id = p_tenant GROUP BY 2, o.branch_id, t.payment_method_id, coalesce(t.staff_id, c_none);
    UPDATE tenant_counters SET summed = value WHERE tenant_id = p_tenant AND name = 'order_number';
END $$;
