-- The published form of a note of a customer. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION customer_note_document(p_tenant uuid, p_note uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', n.id, 'version', n.version, 'customer_id', n.customer_id, 'text', n.text,
        'is_warning', n.is_warning, 'author', u.name, 'created_at', format_utc(n.created_at))
    INTO v_document FROM customer_notes n LEFT JOIN users u ON u.id = n.author_id
    WHERE n.tenant_id = p_tenant AND n.id = p_note;
    RETURN v_document;
END $$;
