-- The published form of which messages a business sends; version 0 where nothing was saved. p_business is the tenant.
-- VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION message_settings_document(p_tenant uuid, p_business uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('version', coalesce(s.version, 0), 'reminder_hours', coalesce(s.reminder_hours, 24),
        'quiet_from', to_char(make_time(s.quiet_from / 60, s.quiet_from % 60, 0), 'HH24:MI'),
        'quiet_until', to_char(make_time(s.quiet_until / 60, s.quiet_until % 60, 0), 'HH24:MI'),
        'for_applications', coalesce(s.for_applications, false), 'messages', json_build_object(
            'confirmation', json_build_object('on', coalesce(s.confirmation, true),
                'texts', message_texts_json(s.texts -> 'confirmation')),
            'reminder', json_build_object('on', coalesce(s.reminder, true),
                'texts', message_texts_json(s.texts -> 'reminder')),
            'change', json_build_object('on', coalesce(s.change, true),
                'texts', message_texts_json(s.texts -> 'change')),
            'cancellation', json_build_object('on', coalesce(s.cancellation, true),
                'texts', message_texts_json(s.texts -> 'cancellation')),
            'birthday', json_build_object('on', coalesce(s.birthday, false),
                'texts', message_texts_json(s.texts -> 'birthday')),
            'waiting_list_offer', json_build_object('texts', message_texts_json(s.texts -> 'waiting_list_offer')),
            'receipt', json_build_object('texts', message_texts_json(s.texts -> 'receipt'))))
    INTO v_document FROM (SELECT) one LEFT JOIN message_settings s ON s.tenant_id = p_tenant;
    RETURN v_document;
END $$;
