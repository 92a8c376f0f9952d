-- An item as the activity log compares it: with its options and with who performs it, and without what is derived
-- from others.
CREATE OR REPLACE FUNCTION item_snapshot(p_tenant uuid, p_item uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    i items;
    v_options jsonb;
    v_performers jsonb;
BEGIN
    SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = p_item;
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', o.name, 'price', o.price::text, 'offer_price',
        o.offer_price::text, 'duration', o.duration, 'sku', o.sku, 'barcode', o.barcode, 'low_stock', o.low_stock,
        'is_active', o.is_active)) ORDER BY o.sort_order, o.id)
    INTO v_options FROM item_options o WHERE o.tenant_id = p_tenant AND o.item_id = p_item;
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', s.name, 'price', ss.price::text, 'duration',
        ss.duration))
        ORDER BY s.name, s.id)
    INTO v_performers
    FROM staff_services ss JOIN staff s ON s.tenant_id = p_tenant AND s.id = ss.staff_id
    WHERE ss.tenant_id = p_tenant AND ss.item_id = p_item;
    RETURN to_jsonb(i) - ARRAY['html_description', 'stock', 'pinned_at']
        || jsonb_build_object('options', v_options, 'performers', v_performers);
END $$;
