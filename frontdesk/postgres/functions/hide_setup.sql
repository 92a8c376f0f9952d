-- The checklist of a new business is not shown any more: all steps are done (p has is_done), or a member hid it, with
-- its optional steps.
CREATE OR REPLACE FUNCTION hide_setup(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
BEGIN
    UPDATE tenants SET setup_hidden_at = now(),
        setup_dismissed = CASE WHEN p ->> 'is_done' = 'true' THEN setup_dismissed ELSE '{team,share}' END
    WHERE id = p_tenant AND setup_hidden_at IS NULL RETURNING name INTO v_name;
    IF FOUND THEN
        PERFORM record_activity(
            p_tenant, p -> 'actor', CASE WHEN p ->> 'is_done' = 'true' THEN 'business.set_up'
                ELSE 'business.setup_hidden' END,
            p_tenant, v_name, NULL, NULL);
    END IF;
    RETURN p_tenant;
END $$;
