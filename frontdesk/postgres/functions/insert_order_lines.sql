-- Inserts lines of an order from the given position on, with the stock that one unit of each takes.
CREATE OR REPLACE FUNCTION insert_order_lines(
    p_tenant uuid, p_order uuid, p_lines jsonb, p_stock jsonb, p_first integer DEFAULT 0
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, package_id, staff_id, name, price,
        quantity, discount_amount, own_discount, total, duration, apply_discount, option_ids, option_name, tax_rate,
            tax_amount, priced, chosen)
    SELECT p_tenant, l.id, p_order, p_first + l.ordinality - 1, l.type, l.item_id, l.package_id, l.staff_id, l.name,
        l.price, l.quantity, l.discount_amount, l.own_discount, l.total, l.duration, l.discountable, l.option_ids,
        l.option_name, l.tax_rate, l.tax_amount, nullif(l.priced, 'null'), nullif(l.chosen, 'null')
    FROM ROWS FROM (jsonb_to_recordset(p_lines) AS (
        id uuid, type text, item_id uuid, package_id uuid, staff_id uuid, name text, price numeric, quantity integer,
        discount_amount numeric, own_discount numeric, total numeric, duration integer, discountable boolean,
        option_ids uuid[], option_name text, tax_rate numeric, tax_amount numeric, priced jsonb, chosen jsonb
    )) WITH ORDINALITY AS l;
    IF p_stock <> '[]' THEN
        INSERT INTO order_line_stock (tenant_id, order_id, line_id, item_id, units, option_id)
        SELECT p_tenant, p_order, s.line_id, s.item_id, s.units, s.option_id
        FROM jsonb_to_recordset(p_stock) AS s (line_id uuid, item_id uuid, units integer, option_id uuid);
    END IF;
END $$;
