-- The published form of the address of an order's receipt; the program adds the origin. VOLATILE, so that it sees what
-- the same statement has just written.
CREATE OR REPLACE FUNCTION receipt_link_document(p_tenant uuid, p_order uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT json_build_object('order_id', order_id, 'url', concat('/receipts/', p_tenant, '/', id))
        FROM receipt_links WHERE tenant_id = p_tenant AND order_id = p_order);
END $$;
