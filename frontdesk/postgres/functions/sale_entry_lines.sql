-- The lines of all entries of a tenant as they were when each was made, and the changes between them.
CREATE OR REPLACE FUNCTION sale_entry_lines(p_tenant uuid)
RETURNS TABLE (order_id uuid, branch_id uuid, kind text, day date, item_id uuid, staff_id uuid, tax_rate numeric,
    orders integer, quantity bigint, total numeric, tax_amount numeric, discount_amount numeric)
LANGUAGE sql STABLE AS $$
    WITH entries AS MATERIALIZED (SELECT * FROM sale_entries(p_tenant)),
    changes AS MATERIALIZED (SELECT * FROM sale_changes WHERE tenant_id = p_tenant)
    SELECT e.order_id, e.branch_id, e.kind, e.day, coalesce(l.item_id, l.package_id),
        coalesce(l.staff_id, '00000000-0000-0000-0000-000000000000'), l.tax_rate,
        CASE WHEN l.position = min(l.position) OVER (PARTITION BY e.order_id, e.kind, e.entered_at) THEN e.sign
            ELSE 0 END,
        e.sign * CASE WHEN l.parent_line_id IS NULL THEN l.quantity ELSE -l.returned END::bigint,
        e.sign * l.total, e.sign * l.tax_amount, e.sign * l.discount_amount
    FROM entries e JOIN order_lines l ON l.tenant_id = p_tenant AND l.order_id = e.order_id
    UNION ALL -- what was added later was no part of the sale yet
    SELECT e.order_id, e.branch_id, e.kind, e.day, c.item_id, c.staff_id, c.tax_rate, 0, -e.sign * c.quantity,
        -e.sign * c.total, -e.sign * c.tax_amount, -e.sign * c.discount_amount
    FROM entries e JOIN changes c ON c.order_id = e.order_id AND c.created_at > e.entered_at
    UNION ALL
    SELECT c.order_id, o.branch_id, 'change', report_day(p_tenant, c.created_at), c.item_id, c.staff_id,
        c.tax_rate, 0, c.quantity, c.total, c.tax_amount, c.discount_amount
    FROM changes c JOIN orders o ON o.tenant_id = p_tenant AND o.id = c.order_id
$$;
