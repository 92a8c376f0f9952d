-- The published form of one staff member, as in GET /staff/{uuid}. The image of a picture of this service is a path;
-- what is sent has the origin before it. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION staff_document(p_tenant uuid, p_staff uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    t tenants;
    s staff;
    v_services json;
    v_branch json;
BEGIN
    SELECT * INTO s FROM staff WHERE tenant_id = p_tenant AND id = p_staff;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO t FROM tenants WHERE id = p_tenant;
    SELECT json_agg(json_build_object('id', i.id, 'name', i.name,
        'price', charged_price(coalesce(ss.price, offer_today(i.offer_price, i.offer_from, i.offer_until, t.timezone),
            i.price), r.rate, t.prices_include_tax, t.currency_decimals),
        'tax', json_build_object('rate', coalesce(r.rate, 0), 'included', t.prices_include_tax),
        'duration', coalesce(ss.duration, i.duration), 'own_price', round(ss.price, t.currency_decimals),
        'own_duration', ss.duration) ORDER BY i.sort_order, i.id)
    INTO v_services FROM staff_services ss JOIN items i ON i.tenant_id = p_tenant AND i.id = ss.item_id,
        LATERAL (SELECT tax_rate_today(p_tenant, i.tax_class_id, t.timezone) AS rate) r
    WHERE ss.tenant_id = p_tenant AND ss.staff_id = s.id;
    SELECT json_build_object('id', b.id, 'name', b.name) INTO v_branch FROM branches b
    WHERE b.tenant_id = p_tenant AND b.id = s.branch_id;
    RETURN json_build_object('id', s.id, 'version', s.version, 'name', s.name, 'names', s.names, 'title', s.title,
        'phone', s.phone, 'phone_country', s.phone_country, 'email', s.email,
        'image', coalesce('/pictures/' || s.tenant_id || '/' || s.picture_id,
            CASE WHEN s.image LIKE 'http%' THEN s.image ELSE '/' || s.image END),
        'branch', v_branch, 'services', coalesce(v_services, '[]'), 'status', s.active,
        'sort_order', s.sort_order,
        'created_at', format_utc(s.created_at), 'updated_at', format_utc(s.updated_at));
END $$;
