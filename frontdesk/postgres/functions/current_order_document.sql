-- order_document as text: the one that publish_order has stored, unless something that it shows, or the functions that
-- render it, have changed since.
CREATE OR REPLACE FUNCTION current_order_document(p_tenant uuid,
    p_order uuid) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored record;
    v_versions text;
BEGIN
    SELECT document, versions INTO v_stored FROM order_documents WHERE tenant_id = p_tenant AND order_id = p_order;
    IF FOUND THEN
        SELECT order_versions(o.version,
            (SELECT version FROM tenants WHERE id = p_tenant),
            (SELECT version FROM branches WHERE tenant_id = p_tenant AND id = o.branch_id),
            m.version, m.changed,
            (SELECT version FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id),
            (SELECT count(*) FROM customer_tags WHERE tenant_id = p_tenant AND customer_id = o.customer_id))
        INTO v_versions FROM orders o, LATERAL (
            SELECT sum(version) AS version, max(updated_at) AS changed FROM payment_methods
                WHERE tenant_id = p_tenant) m
        WHERE o.tenant_id = p_tenant AND o.id = p_order;
        IF rendering_generation() || ' ' || v_versions = v_stored.versions THEN
            RETURN v_stored.document;
        END IF;
    END IF;
    RETURN order_document(p_tenant, p_order)::text;
END $$;
