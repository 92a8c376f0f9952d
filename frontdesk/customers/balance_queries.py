"""What customers owe for sales on account, for the statements that read it. `owed_amount` is the definition."""

# For the order `o`.
OWED = "owed_amount(o.on_account, o.parent_id, o.status, o.total, o.paid_amount)"
# By the customer `c`.
BALANCE = f"""(SELECT coalesce(sum({OWED}), 0) FROM orders o
    WHERE o.tenant_id = $1 AND o.customer_id = c.id AND o.on_account)"""
