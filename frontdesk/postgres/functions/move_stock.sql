-- Changes the stock of a product or an option by hand, and returns the product's id: by `units`, or to `counted`. With
-- `uncounted` the product and its options are no longer counted.
CREATE OR REPLACE FUNCTION move_stock(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_item uuid := (p ->> 'item_id')::uuid;
    v_option uuid := (p ->> 'option_id')::uuid;
    v_units integer := (p ->> 'units')::integer;
    v_events json[];
    i items;
    v_quantity integer;
BEGIN
    SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = v_item FOR NO KEY UPDATE;
    SELECT quantity INTO v_quantity FROM item_options WHERE tenant_id = p_tenant AND id = v_option AND item_id = v_item;
    IF (p ->> 'uncounted')::boolean THEN
        RETURN stop_counting_stock(p_tenant, i, p);
    END IF;
    IF coalesce(v_quantity, i.stock) IS NULL OR v_option IS NOT NULL AND v_quantity IS NULL THEN
        PERFORM raise_outdated();
    END IF;
    v_quantity := coalesce(v_quantity, i.stock);
    v_units := coalesce(v_units, (p ->> 'counted')::integer - v_quantity);
    v_events := change_stock(
        p_tenant, jsonb_build_array(jsonb_build_object('item_id', v_item, 'option_id', v_option, 'units', v_units)), p);
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.stock_changed', v_item, localized(i.name),
        jsonb_build_object('stock', v_quantity),
            jsonb_build_object('stock', v_quantity + v_units, 'reason', p -> 'reason'));
    IF v_units <> 0 THEN
        PERFORM emit_events(p_tenant, ARRAY['item.stock_changed'], v_events);
    END IF;
    RETURN v_item;
END $$;
