-- Queues an export of records for an API client, and returns its id. p also has the limits of exports/create.py. Until
-- it runs, its sequence is that of now: all later events are replayed, some of which the export contains already.
CREATE OR REPLACE FUNCTION create_export(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_resources text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'resources'));
    v_sequence bigint := coalesce((
        SELECT value FROM tenant_counters WHERE tenant_id = p_tenant AND name = 'events'), 0);
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('exports of ' || p_tenant::text, 0));
    IF (SELECT count(*) FROM record_exports
        WHERE tenant_id = p_tenant AND status IN ('queued', 'running')) >= (p ->> 'max_open')::integer
        OR (SELECT count(*) FROM record_exports
            WHERE tenant_id = p_tenant AND expires_at > now()) >= (p ->> 'max_stored')::integer
    THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO record_exports (tenant_id, id, client_id, resources, sequence, url_origin, expires_at)
    VALUES (p_tenant, v_id, (p #>> '{actor,id}')::uuid, v_resources, v_sequence, p ->> 'origin',
        now() + interval '1 day');
    PERFORM record_activity(p_tenant, p -> 'actor', 'export.downloaded', NULL, 'records', NULL,
        jsonb_build_object('format', 'jsonl', 'resources', p -> 'resources'));
    RETURN v_id;
END $$;
