-- The published form of a customer. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION customer_document(p_tenant uuid,
    p_customer uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers;
BEGIN
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = p_customer;
    RETURN CASE WHEN c.id IS NOT NULL THEN customer_json(c) END;
END $$;
