-- The data of the event that the stock of a product has changed. A product that is not counted has 0, as in its
-- document.
CREATE OR REPLACE FUNCTION stock_changed_json(p_item items, p_previous integer,
    p_options json[] DEFAULT '{}') RETURNS json
LANGUAGE sql IMMUTABLE AS $$
    SELECT json_build_object(
        'item', json_build_object(
            'id', p_item.id, 'sku', p_item.sku, 'name', p_item.name, 'branch_id', p_item.branch_id),
        'previous_stock', coalesce(p_previous, 0), 'stock', coalesce(p_item.stock, 0),
        'stock_counted', p_item.stock IS NOT NULL, 'options', array_to_json(p_options))
$$;
