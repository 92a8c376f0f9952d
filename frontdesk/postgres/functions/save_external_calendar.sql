-- Sets the calendar elsewhere whose events make a staff member busy, and returns the staff member's id. It is fetched
-- at once. What an earlier calendar said no longer counts.
CREATE OR REPLACE FUNCTION save_external_calendar(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_url bytea := decode(p ->> 'url_secret', 'base64');
    v_before text;
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO external_calendars (tenant_id, staff_id, url_secret, host)
            VALUES (p_tenant, v_staff, v_url, p ->> 'host');
    ELSE
        SELECT host INTO v_before FROM external_calendars
        WHERE tenant_id = p_tenant AND staff_id = v_staff AND version = (p ->> 'version')::integer FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        DELETE FROM time_off WHERE tenant_id = p_tenant AND staff_id = v_staff AND status = 'outside';
        UPDATE external_calendars SET url_secret = v_url, host = p ->> 'host', next_fetch_at = now(), fetched_at = NULL,
            parsed_at = NULL, content_hash = NULL, etag = NULL, last_modified = NULL, failing_since = NULL,
                failures = 0,
            error = NULL, version = version + 1
        WHERE tenant_id = p_tenant AND staff_id = v_staff;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.outside_calendar_set', v_staff, p ->> 'name',
        CASE WHEN v_before IS NOT NULL THEN jsonb_build_object('host', v_before) END,
        jsonb_build_object('host', p ->> 'host'));
    RETURN v_staff;
END $$;
