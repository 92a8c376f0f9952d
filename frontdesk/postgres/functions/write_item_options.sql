-- Writes the options of an item in the given order and deletes those that are not given. The quantity of an option is
-- written once, where it is not counted yet. The stock of a product with options is their sum.
CREATE OR REPLACE FUNCTION write_item_options(p_tenant uuid, p_item uuid, p_options jsonb, p_opening jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o item_options;
    v_position integer := 0;
    v_counted boolean;
    v_was_sum boolean := coalesce((
        SELECT bool_and(quantity IS NOT NULL) FROM item_options WHERE tenant_id = p_tenant AND item_id = p_item),
            false);
    v_stock integer;
BEGIN
    DELETE FROM item_options WHERE tenant_id = p_tenant AND item_id = p_item
        AND id NOT IN (SELECT g.id FROM jsonb_to_recordset(p_options) AS g (id uuid));
    FOR o IN SELECT * FROM jsonb_populate_recordset(NULL::item_options, p_options) LOOP
        v_counted := EXISTS (SELECT FROM item_options WHERE tenant_id = p_tenant AND id = o.id
            AND quantity IS NOT NULL);
        INSERT INTO item_options (tenant_id, id, item_id, name, sku, barcode, price, offer_price, is_active, duration,
            quantity, low_stock, sort_order)
        VALUES (p_tenant, o.id, p_item, o.name, o.sku, o.barcode, o.price, o.offer_price, o.is_active, o.duration,
            o.quantity, o.low_stock, v_position)
        ON CONFLICT (tenant_id, id) DO UPDATE SET name = o.name, sku = o.sku, barcode = o.barcode, price = o.price,
            offer_price = o.offer_price, is_active = o.is_active, duration = o.duration, low_stock = o.low_stock,
            quantity = coalesce(item_options.quantity, o.quantity), sort_order = v_position;
        IF NOT v_counted AND o.quantity > 0 THEN
            PERFORM insert_stock_movement(p_tenant, p_item, o.id, o.quantity, o.quantity, p_opening);
        END IF;
        v_position := v_position + 1;
    END LOOP;
    IF v_position = 0 OR EXISTS (
        SELECT FROM item_options WHERE tenant_id = p_tenant AND item_id = p_item AND quantity IS NULL)
    THEN
        RETURN;
    END IF;
    SELECT stock INTO v_stock FROM items WHERE tenant_id = p_tenant AND id = p_item;
    IF NOT v_was_sum THEN
        -- What the product had of its own is counted in its options from now on.
        PERFORM insert_stock_movement(p_tenant, p_item, NULL, -v_stock, 0, p_opening || '{"reason": "correction"}')
        WHERE EXISTS (SELECT FROM stock_movements WHERE tenant_id = p_tenant AND item_id = p_item
            AND option_id IS NULL);
    END IF;
    UPDATE items SET stock = (
        SELECT sum(quantity) FROM item_options WHERE tenant_id = p_tenant AND item_id = p_item)
    WHERE tenant_id = p_tenant AND id = p_item;
END $$;
