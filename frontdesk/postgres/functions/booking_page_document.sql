-- The published form of the settings of the booking page, without its picture; version 0 where none were saved.
-- p_business is the tenant. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION booking_page_document(p_tenant uuid, p_business uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('version', coalesce(b.version, 0), 'shown', coalesce(b.shown, true),
        'about', coalesce(b.about, '{}'), 'asks_for_code', coalesce(b.asks_for_code, false),
        'customers_move', coalesce(b.customers_move, true), 'customers_cancel', coalesce(b.customers_cancel, true),
        'payment_instructions', coalesce(b.payment_instructions, '{}'),
        'embedding_origins', coalesce(b.embedding_origins, '{}'))
    INTO v_document FROM (SELECT) one LEFT JOIN booking_page_settings b ON b.tenant_id = p_tenant;
    RETURN v_document;
END $$;
