-- Saves what a member chose on the page of reports, and returns the user's id. What p leaves out stays. The first mail
-- is about the month of this choice, after its end.
CREATE OR REPLACE FUNCTION save_report_settings(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_user uuid := (p ->> 'user_id')::uuid;
    v_mailed boolean := (p ->> 'is_mailed')::boolean;
    v_next timestamptz := report_mail_time(p_tenant, now());
BEGIN
    INSERT INTO report_settings (tenant_id, user_id) VALUES (p_tenant, v_user) ON CONFLICT DO NOTHING;
    UPDATE report_settings SET
        favorites = CASE WHEN p ->> 'favorite' IS NULL THEN favorites
            WHEN (p ->> 'is_favorite')::boolean THEN array_append(array_remove(favorites, p ->> 'favorite'),
                p ->> 'favorite')
            ELSE array_remove(favorites, p ->> 'favorite') END,
        next_mail_at = CASE WHEN v_mailed IS NULL OR v_mailed = (next_mail_at IS NOT NULL) THEN next_mail_at
            WHEN v_mailed THEN v_next END
    WHERE tenant_id = p_tenant AND user_id = v_user;
    RETURN v_user;
END $$;
