-- The published form of a day up to a close. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION day_close_document(p_tenant uuid, p_close uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    d day_closes;
BEGIN
    SELECT * INTO d FROM day_closes WHERE tenant_id = p_tenant AND id = p_close;
    RETURN json_build_object(
        'date', d.day, 'currency', d.currency, 'cashiers', d.day_cashiers, 'close_number', d.close_number,
        'closed_at', format_utc(d.closed_at));
END $$;
