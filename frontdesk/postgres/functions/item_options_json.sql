-- The options of an item as its published form has them, and their number.
CREATE OR REPLACE FUNCTION item_options_json(
    p_tenant uuid, i items, t tenants, p_rate numeric, OUT options json, OUT number bigint
) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT coalesce(json_agg(CASE i.type
        WHEN 'service' THEN (SELECT row_to_json(s) FROM (
            SELECT common.*, coalesce(o.duration, i.duration) AS duration, v.of_option AS "values") s)
        ELSE (SELECT row_to_json(p) FROM (
            SELECT common.*, coalesce(o.quantity, 0) AS quantity, o.quantity IS NOT NULL AS quantity_counted,
                o.low_stock, v.of_option AS "values") p) END ORDER BY o.sort_order, o.id), '[]'), count(*)
    INTO options, number
    FROM item_options o, LATERAL (
        SELECT o.id, published_text(o.name, t.languages) AS name, o.name AS names, o.sku, o.barcode,
            charged_price(o.price, p_rate, t.prices_include_tax, t.currency_decimals) AS price,
            charged_price(offer_today(o.offer_price, i.offer_from, i.offer_until, t.timezone), p_rate,
                t.prices_include_tax, t.currency_decimals) AS offer_price,
            round(o.price, t.currency_decimals) AS entered_price,
            round(o.offer_price, t.currency_decimals) AS entered_offer_price, o.is_active) common, LATERAL (
        SELECT coalesce(json_agg(json_build_object(
            'option_value_id', n.id, 'option_name', published_text(n.option_name, t.languages),
            'value', published_text(n.value, t.languages)) ORDER BY published_text(n.option_name, t.languages), n.id),
            '[]') AS of_option
        FROM item_option_values iv JOIN option_values n ON n.tenant_id = p_tenant AND n.id = iv.option_value_id
        WHERE iv.tenant_id = p_tenant AND iv.option_id = o.id) v
    WHERE o.tenant_id = p_tenant AND o.item_id = i.id;
END $$;
