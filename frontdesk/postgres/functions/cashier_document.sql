-- The published form of one cashier. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION cashier_document(p_tenant uuid, p_cashier uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', k.id, 'version', k.version, 'name', k.name, 'code', k.code,
        'branch_id', k.branch_id, 'status', k.active, 'created_at', format_utc(k.created_at),
        'updated_at', format_utc(k.updated_at)) INTO v_document
    FROM cashiers k WHERE k.tenant_id = p_tenant AND k.id = p_cashier;
    RETURN v_document;
END $$;
