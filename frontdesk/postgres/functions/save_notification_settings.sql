-- Saves what a member learns of bookings, and returns the user's id.
CREATE OR REPLACE FUNCTION save_notification_settings(p_tenant uuid,
    p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_user uuid := (p ->> 'user_id')::uuid;
    v_before notification_settings;
    v_after notification_settings;
    v_name text;
BEGIN
    PERFORM FROM memberships WHERE tenant_id = p_tenant AND user_id = v_user FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    SELECT * INTO v_before FROM notification_settings WHERE tenant_id = p_tenant AND user_id = v_user;
    INSERT INTO notification_settings (tenant_id, user_id, bell_new, bell_moved, bell_canceled, mail_new, mail_moved,
        mail_canceled, own_only)
    VALUES (p_tenant, v_user, p ->> 'bell_new', p ->> 'bell_moved', p ->> 'bell_canceled', p ->> 'mail_new',
        p ->> 'mail_moved', p ->> 'mail_canceled', (p ->> 'own_only')::boolean)
    ON CONFLICT (tenant_id, user_id) DO UPDATE SET bell_new = excluded.bell_new, bell_moved = excluded.bell_moved,
        bell_canceled = excluded.bell_canceled, mail_new = excluded.mail_new, mail_moved = excluded.mail_moved,
        mail_canceled = excluded.mail_canceled, own_only = excluded.own_only
    RETURNING * INTO v_after;
    SELECT name INTO v_name FROM users WHERE id = v_user;
    PERFORM record_activity(p_tenant, p -> 'actor', 'member.notifications_chosen', v_user, v_name,
        to_jsonb(v_before) - 'user_id', to_jsonb(v_after) - 'user_id');
    RETURN v_user;
END $$;
