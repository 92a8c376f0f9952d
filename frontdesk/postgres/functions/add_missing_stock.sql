-- Adds the units of a product and its options that p_changes would take beyond their stock, and returns how many it
-- added to the product. A person decided to sell them all the same: the product is there, although the count says
-- otherwise. The arguments are those of change_stock, which has locked the product.
CREATE OR REPLACE FUNCTION add_missing_stock(p_tenant uuid, p_item uuid, p_changes jsonb, p_why jsonb) RETURNS integer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_why jsonb := p_why || '{"reason": "oversold"}';
    v_units integer;
    v_added integer := 0;
    v_missing integer;
    o record;
    i items;
BEGIN
    FOR o IN
        SELECT v.id, v.quantity, -(v.quantity + sum(c.units))::integer AS missing
        FROM jsonb_to_recordset(p_changes) AS c (item_id uuid, option_id uuid, units integer)
        JOIN item_options v ON v.tenant_id = p_tenant AND v.id = c.option_id
        WHERE c.item_id = p_item
        GROUP BY v.id, v.quantity HAVING v.quantity + sum(c.units) < 0 ORDER BY v.id
    LOOP
        UPDATE item_options SET quantity = quantity + o.missing WHERE tenant_id = p_tenant AND id = o.id;
        PERFORM insert_stock_movement(p_tenant, p_item, o.id, o.missing, o.quantity + o.missing, v_why);
        v_added := v_added + o.missing;
    END LOOP;
    SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = p_item;
    SELECT sum(c.units) INTO v_units
    FROM jsonb_to_recordset(p_changes) AS c (item_id uuid, units integer) WHERE c.item_id = p_item;
    v_missing := greatest(-(i.stock + v_added + v_units), 0);
    PERFORM insert_stock_movement(p_tenant, p_item, NULL, v_missing, i.stock + v_added + v_missing, v_why);
    v_added := v_added + v_missing;
    IF v_added > 0 THEN
        UPDATE items SET stock = stock + v_added WHERE tenant_id = p_tenant AND id = p_item;
        PERFORM record_activity(p_tenant, p_why -> 'actor', 'item.oversold', p_item, localized(i.name), NULL,
            jsonb_build_object('stock', i.stock, 'missing', v_added));
    END IF;
    RETURN v_added;
END $$;
