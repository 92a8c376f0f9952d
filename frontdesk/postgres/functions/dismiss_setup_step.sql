-- An optional step of the set-up is not shown on the overview any more. Returns the tenant.
CREATE OR REPLACE FUNCTION dismiss_setup_step(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
BEGIN
    UPDATE tenants SET setup_dismissed = array_append(setup_dismissed, p ->> 'step')
    WHERE id = p_tenant AND NOT p ->> 'step' = ANY (setup_dismissed) RETURNING name INTO v_name;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'business.setup_hidden', p_tenant, v_name, NULL, NULL);
    END IF;
    RETURN p_tenant;
END $$;
