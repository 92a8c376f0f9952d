-- Adds to the stock of products, or takes from it where units are negative, records the movements, and returns the data of
-- the events that say so. p_changes has {item_id, option_id, units}; the same product may occur several times. p_why has
-- the reason and the actor, and the note and the order_id where there are any. Products are locked by id; their
-- options lie under that lock.
CREATE OR REPLACE FUNCTION change_stock(p_tenant uuid, p_changes jsonb, p_why jsonb) RETURNS json[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids uuid[];
    v_id uuid;
    v_units integer;
    v_of_options integer;
    v_quantity integer;
    v_option record;
    v_options json[];
    v_events json[] := '{}';
    i items;
BEGIN
    IF p_changes = '[]' THEN
        RETURN v_events;
    END IF;
    SELECT array_agg(DISTINCT s.item_id ORDER BY s.item_id) INTO v_ids
    FROM jsonb_to_recordset(p_changes) AS s (item_id uuid);
    PERFORM FROM items WHERE tenant_id = p_tenant AND id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE;
    FOREACH v_id IN ARRAY v_ids LOOP
        SELECT sum(s.units) INTO v_units
        FROM jsonb_to_recordset(p_changes) AS s (item_id uuid, units integer) WHERE s.item_id = v_id;
        UPDATE items SET stock = stock + v_units, updated_at = now()
        WHERE tenant_id = p_tenant AND id = v_id AND stock + v_units >= 0 RETURNING * INTO i;
        IF NOT FOUND THEN
            PERFORM raise_out_of_stock();
        END IF;
        v_options := '{}';
        v_of_options := 0;
        FOR v_option IN
            SELECT s.option_id, sum(s.units)::integer AS units
            FROM jsonb_to_recordset(p_changes) AS s (item_id uuid, option_id uuid, units integer)
            WHERE s.item_id = v_id AND s.option_id IS NOT NULL GROUP BY s.option_id ORDER BY s.option_id
        LOOP
            -- An option whose quantity is no longer counted has none.
            UPDATE item_options SET quantity = quantity + v_option.units
            WHERE tenant_id = p_tenant AND id = v_option.option_id AND coalesce(quantity + v_option.units, 0) >= 0
            RETURNING quantity, v_options || json_build_object(
                'id', id, 'previous_quantity', quantity - v_option.units, 'quantity', quantity)
            INTO v_quantity, v_options;
            IF NOT FOUND THEN
                PERFORM raise_out_of_stock();
            END IF;
            IF v_quantity IS NOT NULL THEN
                v_of_options := v_of_options + v_option.units;
                PERFORM insert_stock_movement(p_tenant, v_id, v_option.option_id, v_option.units, v_quantity, p_why);
            END IF;
        END LOOP;
        PERFORM insert_stock_movement(p_tenant, v_id, NULL, v_units - v_of_options, i.stock, p_why);
        v_events := v_events || json_build_object(
            'item', json_build_object('id', i.id, 'sku', i.sku, 'name', i.name, 'branch_id', i.branch_id),
            'previous_stock', i.stock - v_units, 'stock', i.stock, 'options', array_to_json(v_options));
    END LOOP;
    RETURN v_events;
END $$;
