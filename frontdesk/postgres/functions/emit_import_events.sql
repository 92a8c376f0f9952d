-- Publishes the next prepared events of an import, in the order of the file, as emit_events does for a few events. p
-- has the import's id, the number of the last row before, and the number of events. Returns the number of the last row;
-- 0 if none is left.
CREATE OR REPLACE FUNCTION emit_import_events(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_numbers integer[];
    v_types text[];
    v_data json[];
    v_webhooks uuid[];
    v_count integer;
    v_last bigint;
    v_at timestamptz;
BEGIN
    SELECT array_agg(n.number ORDER BY n.number), array_agg(n.event_type ORDER BY n.number),
        array_agg(n.event ORDER BY n.number), count(*) INTO v_numbers, v_types, v_data, v_count FROM (
        SELECT number, event_type, event FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND number > (p ->> 'after')::integer
            AND event_id IS NOT NULL
        ORDER BY number LIMIT (p ->> 'limit')::integer FOR UPDATE) n;
    IF v_count = 0 THEN
        RETURN 0;
    END IF;
    SELECT array_agg(l.id) INTO v_webhooks FROM (
        SELECT id FROM webhooks
        WHERE tenant_id = p_tenant AND disabled_at IS NULL AND events && v_types ORDER BY id FOR KEY SHARE) l;
    SELECT n.last, n.assigned_at INTO v_last, v_at FROM next_number(p_tenant, 'events', v_count) n;
    INSERT INTO events (tenant_id, id, sequence, type, data, created_at)
    SELECT p_tenant, event_id, v_last - v_count + row_number() OVER (ORDER BY number), event_type, event, v_at
    FROM import_outcomes WHERE tenant_id = p_tenant AND import_id = v_import AND number = ANY (v_numbers);
    PERFORM record_deletions(p_tenant, v_types, v_data, v_at);
    IF v_webhooks IS NOT NULL THEN
        INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
        SELECT p_tenant, uuid_v7(v_at), w.id, e.id FROM events e, webhooks w
        JOIN api_clients c ON c.tenant_id = p_tenant AND c.id = w.client_id
        LEFT JOIN installs s ON s.tenant_id = p_tenant AND s.id = c.install_id
        WHERE e.tenant_id = p_tenant AND e.sequence > v_last - v_count AND w.tenant_id = p_tenant
            AND w.id = ANY (v_webhooks) AND e.type = ANY (w.events) AND c.disabled_at IS NULL
                AND s.disconnected_at IS NULL
            AND ('*' = ANY (c.scopes) OR c.scopes @> event_read_scopes(e.type))
            AND (w.branch_ids = '{}' OR coalesce(event_branch(e.type, e.data) = ANY (w.branch_ids), true))
            AND (w.changed_fields = '{}' OR coalesce(w.changed_fields && event_changes(e.data), true))
        ORDER BY e.sequence, w.id;
    END IF;
    UPDATE import_outcomes SET event_id = NULL, event = NULL
    WHERE tenant_id = p_tenant AND import_id = v_import AND number = ANY (v_numbers);
    RETURN v_numbers[v_count];
END $$;
