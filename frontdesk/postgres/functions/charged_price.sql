-- What a customer is charged for a price of the catalog: with the tax, where the business adds it on top. As add_tax of
-- orders/tax.py. Each parameter is named once, so that PostgreSQL puts the expression into the calling statement.
CREATE OR REPLACE FUNCTION charged_price(p_price numeric, p_rate numeric, p_included boolean, p_decimals integer)
RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT round(p_price * CASE WHEN p_included THEN 1 ELSE (100 + coalesce(p_rate, 0)) * 0.01 END, p_decimals)
$$;
