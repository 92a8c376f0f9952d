-- migration: expand
-- Why a line costs what it costs (`priced`), why this provider performs it (`chosen`), and who changed the discount of
-- an order after it was made: as it was decided, because the catalog and the bookings change. Null: written before.
ALTER TABLE order_lines ADD priced jsonb, ADD chosen jsonb;
ALTER TABLE orders ADD discount_by jsonb;
