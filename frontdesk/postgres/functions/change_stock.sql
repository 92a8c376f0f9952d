-- Adds to the stock of products, or takes from it where units are negative, records the movements, and returns the data
-- of the events that say so. p_changes has {item_id, option_id, units}; the same product may occur several times. p_why
-- has the reason and the actor, and the note and the order_id where there are any; with `oversell` units that are not
-- there are added first. What is not counted stays so. Products are locked by id; their options lie under that lock.
CREATE OR REPLACE FUNCTION change_stock(p_tenant uuid, p_changes jsonb, p_why jsonb) RETURNS json[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids uuid[];
    v_id uuid;
    v_units integer;
    v_missing integer := 0;
    v_before jsonb := '{}';
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
        IF (p_why ->> 'oversell')::boolean THEN
            SELECT jsonb_object_agg(id, quantity) INTO v_before FROM item_options
            WHERE tenant_id = p_tenant AND item_id = v_id;
            v_missing := add_missing_stock(p_tenant, v_id, p_changes, p_why);
        END IF;
        UPDATE items SET stock = stock + v_units, updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id AND stock + v_units >= 0 RETURNING * INTO i;
        IF NOT FOUND THEN
            SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = v_id AND stock IS NULL; -- not counted
            IF NOT FOUND THEN
                PERFORM raise_out_of_stock();
            END IF;
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
            RETURNING quantity INTO v_quantity;
            IF NOT FOUND THEN
                PERFORM raise_out_of_stock();
            END IF;
            IF v_quantity IS NOT NULL THEN
                v_of_options := v_of_options + v_option.units;
                v_options := v_options || json_build_object('id', v_option.option_id,
                    'previous_quantity', coalesce(
                        (v_before ->> v_option.option_id::text)::integer, v_quantity - v_option.units),
                    'quantity', v_quantity);
                PERFORM insert_stock_movement(p_tenant, v_id, v_option.option_id, v_option.units, v_quantity, p_why);
            END IF;
        END LOOP;
        IF i.stock IS NOT NULL THEN
            PERFORM insert_stock_movement(p_tenant, v_id, NULL, v_units - v_of_options, i.stock, p_why);
        END IF;
        IF i.stock IS NOT NULL AND v_units + v_missing <> 0 OR cardinality(v_options) > 0 THEN
            v_events := v_events || stock_changed_json(i, i.stock - v_units - v_missing, v_options);
        END IF;
    END LOOP;
    RETURN v_events;
END $$;
