-- Saves which messages a business sends, and in which words. Returns the business's id.
CREATE OR REPLACE FUNCTION save_message_settings(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before message_settings;
    v_after message_settings;
    v_published json;
BEGIN
    INSERT INTO message_settings (tenant_id, version) VALUES (p_tenant, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO v_before FROM message_settings WHERE tenant_id = p_tenant FOR UPDATE;
    IF v_before.version <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := message_settings_document(p_tenant, p_tenant);
    UPDATE message_settings SET confirmation = (p ->> 'confirmation')::boolean, change = (p ->> 'change')::boolean,
        cancellation = (p ->> 'cancellation')::boolean, reminder = (p ->> 'reminder')::boolean,
        for_applications = (p ->> 'for_applications')::boolean, reminder_hours = (p ->> 'reminder_hours')::smallint,
        quiet_from = (p ->> 'quiet_from')::smallint, quiet_until = (p ->> 'quiet_until')::smallint,
        texts = p -> 'texts', birthday = coalesce((p ->> 'birthday')::boolean, birthday),
        version = version + 1, updated_at = now()
    WHERE tenant_id = p_tenant RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'messages.settings_changed', p_tenant, NULL, to_jsonb(v_before),
        to_jsonb(v_after));
    -- Reminders that wait already keep to the new times.
    UPDATE messages m SET due_at = (SELECT reminder_time(
        m.expires_at, v_after.reminder_hours, v_after.quiet_from, v_after.quiet_until, n.timezone))
    FROM tenants n
    WHERE n.id = p_tenant AND m.tenant_id = p_tenant AND m.kind = 'reminder' AND m.state = 'due' AND m.lease IS NULL;
    IF NOT v_after.reminder THEN
        UPDATE messages SET state = 'dropped', answer = 'stopped', finished_at = now()
        WHERE tenant_id = p_tenant AND kind = 'reminder' AND state = 'due' AND lease IS NULL;
    END IF;
    IF NOT v_after.birthday THEN
        UPDATE messages SET state = 'dropped', answer = 'stopped', finished_at = now()
        WHERE tenant_id = p_tenant AND kind = 'birthday' AND state = 'due' AND lease IS NULL;
    END IF;
    PERFORM emit_change(p_tenant, 'message_settings.updated', v_published,
        message_settings_document(p_tenant, p_tenant));
    RETURN p_tenant;
END $$;
