-- The published form of one delivery. Null for an unknown id.
CREATE OR REPLACE FUNCTION delivery_document(p_tenant uuid,
    p_delivery uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    d webhook_deliveries;
BEGIN
    SELECT * INTO d FROM webhook_deliveries WHERE tenant_id = p_tenant AND id = p_delivery;
    RETURN CASE WHEN FOUND THEN delivery_json(d) END;
END $$;
