-- Stores what a fetch of a calendar elsewhere found, if its address is still the same, and returns the staff member's
-- id. `busy` is null where nothing has changed since the last fetch; otherwise it replaces all busy times.
CREATE OR REPLACE FUNCTION store_external_busy(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_read boolean := jsonb_typeof(p -> 'busy') = 'array';
    v_parsed_at timestamptz := CASE WHEN v_read THEN now() END;
BEGIN
    UPDATE external_calendars SET fetched_at = now(),
        next_fetch_at = now() + (p ->> 'pause')::float8 * interval '1 second',
        failing_since = NULL, failures = 0, error = NULL, etag = p ->> 'etag', last_modified = p ->> 'last_modified',
        parsed_at = coalesce(v_parsed_at, parsed_at),
        content_hash = CASE WHEN v_read THEN decode(p ->> 'content_hash', 'base64') ELSE content_hash END
    WHERE tenant_id = p_tenant AND staff_id = v_staff AND version = (p ->> 'version')::integer;
    IF FOUND AND v_read THEN
        DELETE FROM time_off WHERE tenant_id = p_tenant AND staff_id = v_staff AND status = 'outside';
        INSERT INTO time_off (tenant_id, id, staff_id, during, status)
        SELECT p_tenant, gen_random_uuid(), v_staff,
            tstzrange(to_timestamp((b ->> 0)::bigint), to_timestamp((b ->> 1)::bigint)), 'outside'
        FROM jsonb_array_elements(p -> 'busy') b;
    END IF;
    RETURN v_staff;
END $$;
