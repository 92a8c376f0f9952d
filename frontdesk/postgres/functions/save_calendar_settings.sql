-- Saves what the calendar feeds of a business show, and returns the id of the business. `version` is 0 where there is
-- no row.
CREATE OR REPLACE FUNCTION save_calendar_settings(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before calendar_settings;
    v_after calendar_settings;
BEGIN
    INSERT INTO calendar_settings (tenant_id, version) VALUES (p_tenant, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO v_before FROM calendar_settings WHERE tenant_id = p_tenant FOR NO KEY UPDATE;
    IF v_before.version <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE calendar_settings SET customer_names = p ->> 'customer_names', version = version + 1, updated_at = now()
    WHERE tenant_id = p_tenant RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'calendar_settings.updated', p_tenant, p ->> 'name',
        to_jsonb(v_before), to_jsonb(v_after));
    RETURN p_tenant;
END $$;
