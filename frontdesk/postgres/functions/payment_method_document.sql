-- The published form of one payment method. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION payment_method_document(p_tenant uuid, p_method uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    m payment_methods;
    t payment_method_types;
BEGIN
    SELECT * INTO m FROM payment_methods WHERE tenant_id = p_tenant AND id = p_method;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO t FROM payment_method_types WHERE slug = m.type;
    RETURN payment_method_json(m, t);
END $$;
