-- The published form of an order with everything: GET /orders/{uuid}, and the data of its events. Null for an unknown
-- id.
CREATE OR REPLACE FUNCTION order_document(p_tenant uuid, p_order uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_rendered record := render_order(p_tenant, p_order);
BEGIN
    RETURN v_rendered.document;
END $$;
