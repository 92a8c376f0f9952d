-- How a customer can be notified of a booking, and whether the business sends a message of this kind by itself. Null:
-- the customer cannot be reached.
CREATE OR REPLACE FUNCTION notice_json(
    p_tenant uuid, p_kind text, p_created_by_type text, p_email text, p_phone text
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    s message_settings;
BEGIN
    IF p_email IS NULL AND (p_phone IS NULL OR NOT has_message_application(p_tenant)) THEN
        RETURN NULL;
    END IF;
    SELECT * INTO s FROM message_settings WHERE tenant_id = p_tenant;
    RETURN jsonb_build_object('by', CASE WHEN p_email IS NULL THEN 'phone' ELSE 'email' END, 'usual',
        coalesce(CASE p_kind WHEN 'confirmation' THEN s.confirmation WHEN 'change' THEN s.change
            ELSE s.cancellation END, true)
        AND (p_created_by_type NOT IN ('app', 'key') OR coalesce(s.for_applications, false)));
END $$;
