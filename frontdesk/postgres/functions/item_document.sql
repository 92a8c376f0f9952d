-- The published form of one item, as in GET /items/{uuid}. VOLATILE, so that it sees what the same statement has just
-- written.
CREATE OR REPLACE FUNCTION item_document(p_tenant uuid, p_item uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t tenants;
    i items;
    v_rate numeric;
    v_document json;
BEGIN
    SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = p_item;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO t FROM tenants WHERE id = p_tenant;
    v_rate := tax_rate_today(p_tenant, i.tax_class_id, t.timezone);
    SELECT CASE i.type
        WHEN 'service' THEN (SELECT row_to_json(s) FROM (
            SELECT common.*, i.duration, i.buffer_before, i.buffer_after,
                item_staff_json(p_tenant, i, t, v_rate) AS staff) s)
        ELSE (SELECT row_to_json(p) FROM (
            SELECT common.*, round(i.cost, t.currency_decimals) AS cost, i.supplier, coalesce(i.stock, 0) AS stock,
                i.stock IS NOT NULL AS stock_counted, i.low_stock) p) END
    INTO v_document FROM (
        SELECT i.id, i.version, i.type, i.sku, i.barcode, i.name, i.slug, i.description, i.html_description, i.status,
            charged_price(i.price, v_rate, t.prices_include_tax, t.currency_decimals) AS price,
            charged_price(offer_today(i.offer_price, i.offer_from, i.offer_until, t.timezone), v_rate,
                t.prices_include_tax, t.currency_decimals) AS offer_price,
            round(i.price, t.currency_decimals) AS entered_price,
            round(i.offer_price, t.currency_decimals) AS entered_offer_price, i.offer_from, i.offer_until,
            i.tax_class_id,
            json_build_object('rate', coalesce(v_rate, 0), 'included', t.prices_include_tax) AS tax, t.currency,
            o.options, i.base_sellable OR o.number = 0 AS base_sellable, (
                SELECT json_build_object('id', c.id, 'name', c.name, 'status', c.status) FROM categories c
                WHERE c.tenant_id = p_tenant AND c.id = i.category_id) AS category, (
                SELECT json_build_object('id', b.id, 'name', b.name) FROM branches b
                WHERE b.tenant_id = p_tenant AND b.id = i.branch_id) AS branch,
            format_utc(i.created_at) AS created_at, format_utc(i.updated_at) AS updated_at
        FROM item_options_json(p_tenant, i, t, v_rate) o) common;
    RETURN v_document;
END $$;
