-- Takes the stock of a product and its options off the books, and returns the product's id: it can always be sold from
-- now on. p is that of move_stock, which has locked the product.
CREATE OR REPLACE FUNCTION stop_counting_stock(p_tenant uuid, p_item items, p jsonb) RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_of_options integer;
    i items;
BEGIN
    SELECT coalesce(sum(quantity), 0) INTO v_of_options FROM item_options
    WHERE tenant_id = p_tenant AND item_id = p_item.id;
    PERFORM insert_stock_movement(p_tenant, p_item.id, id, -quantity, 0, p) FROM item_options
    WHERE tenant_id = p_tenant AND item_id = p_item.id;
    PERFORM insert_stock_movement(p_tenant, p_item.id, NULL, v_of_options - p_item.stock, 0, p);
    UPDATE item_options SET quantity = NULL WHERE tenant_id = p_tenant AND item_id = p_item.id;
    UPDATE items SET stock = NULL, updated_at = monotonic_now(updated_at) WHERE tenant_id = p_tenant AND id = p_item.id
    RETURNING * INTO i;
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.uncounted', i.id, localized(i.name), NULL,
        jsonb_build_object('stock', p_item.stock, 'note', p -> 'note'));
    PERFORM emit_events(p_tenant, ARRAY['item.stock_changed'], ARRAY[stock_changed_json(i, p_item.stock)]);
    RETURN i.id;
END $$;
