-- migration: expand
-- Why bookings are canceled: the list of the business (null: that of the product), and the one that was chosen for an
-- order. Both are names by language; an order keeps the name that its reason had.
ALTER TABLE tenants ADD cancel_reasons jsonb;
ALTER TABLE orders ADD cancel_reason jsonb;
