-- The published form of one commission rate. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION commission_rate_document(p_tenant uuid, p_rate uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', r.id, 'version', r.version, 'staff_id', r.staff_id, 'item_id', r.item_id,
        'starts_on', r.starts_on, 'percent', r.percent, 'created_at', format_utc(r.created_at),
        'updated_at', format_utc(r.updated_at)) INTO v_document
    FROM commission_rates r WHERE r.tenant_id = p_tenant AND r.id = p_rate;
    RETURN v_document;
END $$;
