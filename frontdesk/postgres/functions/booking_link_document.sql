-- The published form of the address of an order's booking; the program adds the origin. VOLATILE, so that it sees what
-- the same statement has just written.
CREATE OR REPLACE FUNCTION booking_link_document(p_tenant uuid, p_order uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_slug text;
BEGIN
    SELECT slug INTO v_slug FROM tenant_slugs WHERE tenant_id = p_tenant AND is_current;
    RETURN (SELECT json_build_object('order_id', order_id, 'url', concat('/book/', v_slug, '/', code))
        FROM booking_links WHERE tenant_id = p_tenant AND order_id = p_order);
END $$;
