-- The published form of a tax class, as in GET /tax-classes. VOLATILE, so that it sees what the same statement has just
-- written.
CREATE OR REPLACE FUNCTION tax_class_document(p_tenant uuid, p_class uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', c.id, 'version', c.version, 'name', c.name, 'is_default', c.is_default, 'rates', (
        SELECT coalesce(json_agg(json_build_object('starts_on', r.starts_on, 'rate', r.rate) ORDER BY r.starts_on),
            '[]') FROM tax_rates r WHERE r.tenant_id = p_tenant AND r.class_id = c.id),
        'created_at', format_utc(c.created_at), 'updated_at', format_utc(c.updated_at))
    INTO v_document FROM tax_classes c WHERE c.tenant_id = p_tenant AND c.id = p_class;
    RETURN v_document;
END $$;
