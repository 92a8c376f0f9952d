-- The published form of one package, as in GET /packages/{uuid}. VOLATILE, so that it sees what the same statement has
-- just written.
CREATE OR REPLACE FUNCTION package_document(p_tenant uuid, p_package uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t tenants;
    p packages;
    v_rate numeric;
    v_items json;
    v_branch json;
BEGIN
    SELECT * INTO p FROM packages WHERE tenant_id = p_tenant AND id = p_package;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO t FROM tenants WHERE id = p_tenant;
    v_rate := tax_rate_today(p_tenant, p.tax_class_id, t.timezone);
    SELECT json_agg(json_build_object('id', i.id, 'name', i.name, 'type', i.type, 'quantity', c.quantity)
        ORDER BY c.sort_order, i.sort_order, i.id)
    INTO v_items FROM package_items c JOIN items i ON i.tenant_id = p_tenant AND i.id = c.item_id
    WHERE c.tenant_id = p_tenant AND c.package_id = p.id;
    SELECT json_build_object('id', b.id, 'name', b.name) INTO v_branch FROM branches b
    WHERE b.tenant_id = p_tenant AND b.id = p.branch_id;
    RETURN json_build_object('id', p.id, 'version', p.version, 'sku', p.sku, 'name', p.name,
        'description', p.description, 'branch', v_branch,
        'price', charged_price(p.price, v_rate, t.prices_include_tax, t.currency_decimals),
        'offer_price', charged_price(offer_today(p.offer_price, p.offer_from, p.offer_until, t.timezone), v_rate,
            t.prices_include_tax, t.currency_decimals),
        'entered_price', round(p.price, t.currency_decimals),
        'entered_offer_price', round(p.offer_price, t.currency_decimals), 'offer_from', p.offer_from,
        'offer_until', p.offer_until, 'tax_class_id', p.tax_class_id,
        'tax', json_build_object('rate', coalesce(v_rate, 0), 'included', t.prices_include_tax),
        'status', p.status, 'items', coalesce(v_items, '[]'),
        'created_at', format_utc(p.created_at), 'updated_at', format_utc(p.updated_at));
END $$;
