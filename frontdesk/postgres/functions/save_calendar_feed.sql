-- Creates the feed of a staff member or of a branch, or gives it a new secret, and returns its id. `version` is that of
-- the feed that was read; null if there was none.
CREATE OR REPLACE FUNCTION save_calendar_feed(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_hash bytea := decode(p ->> 'secret_hash', 'base64');
    v_secret bytea := decode(p ->> 'secret', 'base64');
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO calendar_feeds (tenant_id, id, staff_id, branch_id, secret_hash, secret, language)
        VALUES (p_tenant, v_id, v_staff, v_branch, v_hash, v_secret, p ->> 'language');
        PERFORM record_activity(p_tenant, p -> 'actor', CASE WHEN v_staff IS NULL THEN 'branch' ELSE 'staff_member' END
            || '.feed_created', coalesce(v_staff, v_branch), p ->> 'name');
        RETURN v_id;
    END IF;
    UPDATE calendar_feeds SET secret_hash = v_hash, secret = v_secret, language = p ->> 'language', read_at = NULL,
        version = version + 1, created_at = now()
    WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', CASE WHEN v_staff IS NULL THEN 'branch' ELSE 'staff_member' END
        || '.feed_replaced', coalesce(v_staff, v_branch), p ->> 'name');
    RETURN v_id;
END $$;
