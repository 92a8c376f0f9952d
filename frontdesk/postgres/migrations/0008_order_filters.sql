-- Filters of the list of orders. Each equality has an index that ends with the number by which the list is sorted;
-- each range has one from which the numbers of a page are read without looking at the orders.

-- Stored, so that an index can hold it and a count can be read from that index alone.
ALTER TABLE orders ADD COLUMN payment_status text NOT NULL
    GENERATED ALWAYS AS (payment_status(total, paid_amount, refunded_amount)) STORED;

CREATE INDEX orders_by_payment_status ON orders (tenant_id, payment_status, order_number);
CREATE INDEX orders_by_customer ON orders (tenant_id, customer_id, order_number);
CREATE INDEX orders_by_branch ON orders (tenant_id, branch_id, order_number);
CREATE INDEX orders_by_start ON orders (tenant_id, starts_at, order_number) WHERE starts_at IS NOT NULL;
CREATE INDEX orders_by_change ON orders (tenant_id, updated_at, order_number);
CREATE INDEX order_lines_of_staff ON order_lines (tenant_id, staff_id, order_id) WHERE staff_id IS NOT NULL;
DROP INDEX orders_of_customer; -- orders_by_customer replaces it: times of creation sort like the numbers

CREATE INDEX packages_in_order ON packages (tenant_id, created_at, id);
