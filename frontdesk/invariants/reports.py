"""What must be true of the sums that reports show: they are those of the ledger, to the minor unit.

The queries know nothing of the acts: what stands is an order that is neither a draft nor canceled, and a refund of one.
"""

from typing import Final

_NOBODY = "'00000000-0000-0000-0000-000000000000'::uuid"
_STANDING = """
        FROM order_lines l JOIN orders o ON (o.tenant_id, o.id) = (l.tenant_id, l.order_id)
        JOIN orders s ON s.tenant_id = o.tenant_id AND s.id = coalesce(o.parent_id, o.id)
        WHERE l.tenant_id = $1 AND s.status NOT IN ('draft', 'canceled')"""

_MONTHS = (("day", "is_month"), ("date_trunc('month', day::timestamp)::date", "NOT is_month"))


def _differences(kept: str, ledger: str) -> str:
    """The rows of either that the other has not. Rows of zeros are none; the sums are one array, the last column."""
    return f"""
    WITH kept AS ({kept}), ledger AS ({ledger}),
    of_kept AS (SELECT * FROM kept WHERE NOT sums <@ ARRAY[0::numeric]),
    of_ledger AS (SELECT * FROM ledger WHERE NOT sums <@ ARRAY[0::numeric])
    (SELECT 'kept' AS where, * FROM (SELECT * FROM of_kept EXCEPT SELECT * FROM of_ledger) k)
    UNION ALL (SELECT 'ledger', * FROM (SELECT * FROM of_ledger EXCEPT SELECT * FROM of_kept) l)"""


RULES: Final = {
    "sales by item and provider are the lines of what stands": _differences(
        """SELECT branch_id, item_id, staff_id, ARRAY[sum(quantity), sum(total), sum(tax_amount)] AS sums
            FROM sales_by_item WHERE tenant_id = $1 AND NOT is_month GROUP BY 1, 2, 3""",
        f"""SELECT o.branch_id, coalesce(l.item_id, l.package_id), coalesce(l.staff_id, {_NOBODY}),
                ARRAY[sum(CASE WHEN o.parent_id IS NULL THEN l.quantity ELSE -l.returned END)::numeric,
                      sum(l.total), sum(l.tax_amount)] AS sums
            {_STANDING} GROUP BY 1, 2, 3""",
    ),
    "sales by source and tax rate are the lines of what stands": _differences(
        """SELECT branch_id, source, client_id, tax_rate,
                ARRAY[sum(total), sum(tax_amount), sum(discount_amount)] AS sums
            FROM sales_by_source WHERE tenant_id = $1 GROUP BY 1, 2, 3, 4""",
        f"""SELECT s.branch_id, s.source,
                CASE WHEN s.created_by_type = 'app' THEN s.created_by_id ELSE {_NOBODY} END,
                l.tax_rate, ARRAY[sum(l.total), sum(l.tax_amount), sum(l.discount_amount)] AS sums
            {_STANDING} GROUP BY 1, 2, 3, 4""",
    ),
    "the reports count every order that stands, and every refund": _differences(
        """SELECT branch_id, kind IN ('sale', 'cancellation'), ARRAY[sum(orders)] AS sums
            FROM sales_by_source WHERE tenant_id = $1 AND kind IN ('sale', 'cancellation', 'refund') GROUP BY 1, 2""",
        """SELECT branch_id, parent_id IS NULL, ARRAY[count(*)::numeric] AS sums FROM orders
            WHERE tenant_id = $1 AND status NOT IN ('draft', 'canceled') GROUP BY 1, 2""",
    ),
    "sales by customer are the orders of what stands": _differences(
        """SELECT customer_id, branch_id, ARRAY[sum(orders), sum(total)] AS sums
            FROM sales_by_customer WHERE tenant_id = $1 AND NOT is_month GROUP BY 1, 2""",
        """SELECT o.customer_id, o.branch_id,
                ARRAY[count(*) FILTER (WHERE o.parent_id IS NULL)::numeric, sum(o.total)] AS sums
            FROM orders o JOIN orders s ON s.tenant_id = o.tenant_id AND s.id = coalesce(o.parent_id, o.id)
            WHERE o.tenant_id = $1 AND s.status NOT IN ('draft', 'canceled') AND o.customer_id IS NOT NULL
            GROUP BY 1, 2""",
    ),
    "sales of a month by item and provider are those of its days": _differences(
        *(
            f"""SELECT {day} AS month, branch_id, item_id, staff_id,
                ARRAY[sum(quantity), sum(total), sum(tax_amount)] AS sums
            FROM sales_by_item WHERE tenant_id = $1 AND {rows} GROUP BY 1, 2, 3, 4"""
            for day, rows in _MONTHS
        )
    ),
    "sales of a month by customer are those of its days": _differences(
        *(
            f"""SELECT {day} AS month, branch_id, customer_id, first_day, ARRAY[sum(orders), sum(total)] AS sums
            FROM sales_by_customer WHERE tenant_id = $1 AND {rows} GROUP BY 1, 2, 3, 4"""
            for day, rows in _MONTHS
        )
    ),
    "payments by method are the transactions and the tips": _differences(
        """SELECT branch_id, payment_method_id, kind, staff_id, ARRAY[sum(payments), sum(amount)] AS sums
            FROM payments_by_method WHERE tenant_id = $1 GROUP BY 1, 2, 3, 4""",
        f"""SELECT o.branch_id, t.payment_method_id, t.kind, t.staff_id,
                ARRAY[count(*)::numeric, sum(t.amount)] AS sums
            FROM (SELECT order_id, payment_method_id, CASE WHEN amount < 0 THEN 'refund' ELSE 'payment' END AS kind,
                         {_NOBODY} AS staff_id, amount
                  FROM transactions WHERE tenant_id = $1 AND status IN ('confirmed', 'refunded')
                  UNION ALL SELECT order_id, payment_method_id, 'tip', coalesce(staff_id, {_NOBODY}), amount
                  FROM tips WHERE tenant_id = $1) t
            JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id GROUP BY 1, 2, 3, 4""",
    ),
}
