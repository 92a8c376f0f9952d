-- Writes events in the given order, with a delivery for each webhook that subscribes to them. It is the last thing that
-- a transaction does: the webhooks are locked as their foreign key would lock them, then the counter of events. All
-- webhooks are locked, by id: a function that emits twice would else lock one of its second event too late.
-- With p_client the events concern one application: only its own webhooks and those of the tenant's clients get them.
-- What an event is about is read from its data only where a webhook asks for some branches or fields.
-- p_actor (who made the change) and p_previous_staff (the ids of who performed the bookings before it) are for open
-- pages only.
CREATE OR REPLACE FUNCTION emit_events(
    p_tenant uuid, p_types text[], p_data json[], p_client uuid DEFAULT NULL, p_actor jsonb DEFAULT NULL,
    p_previous_staff jsonb DEFAULT NULL
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff uuid[];
    v_webhooks uuid[];
    v_by_branch boolean := false;
    v_by_field boolean := false;
    v_branch uuid;
    v_changes text[];
    v_webhook record;
    v_next record;
    v_event record;
    v_count integer := cardinality(p_types);
BEGIN
    IF v_count = 0 THEN
        RETURN;
    END IF;
    IF jsonb_typeof(p_previous_staff) = 'array' THEN
        v_staff := ARRAY(SELECT DISTINCT i::uuid FROM jsonb_array_elements_text(p_previous_staff) i);
    END IF;
    FOR v_webhook IN
        SELECT id, disabled_at, events, branch_ids <> '{}' AS by_branch, changed_fields <> '{}' AS by_field
        FROM webhooks WHERE tenant_id = p_tenant ORDER BY id FOR KEY SHARE
    LOOP
        IF v_webhook.disabled_at IS NULL AND v_webhook.events && p_types THEN
            v_webhooks := v_webhooks || v_webhook.id;
            v_by_branch := v_by_branch OR v_webhook.by_branch;
            v_by_field := v_by_field OR v_webhook.by_field;
        END IF;
    END LOOP;
    v_next := next_number(p_tenant, 'events', v_count);
    INSERT INTO events (tenant_id, id, sequence, type, visible_to_client_id, actor_id, previous_staff_ids, data,
        created_at)
    SELECT p_tenant, uuid_v7(v_next.assigned_at), v_next.last - v_count + e.position, e.type, p_client,
        (p_actor ->> 'id')::uuid, v_staff, e.data, v_next.assigned_at
    FROM unnest(p_types, p_data) WITH ORDINALITY AS e (type, data, position);
    PERFORM record_deletions(p_tenant, p_types, p_data, v_next.assigned_at);
    IF v_webhooks IS NULL THEN
        RETURN;
    END IF;
    FOR v_event IN
        SELECT id, type, data FROM events WHERE tenant_id = p_tenant AND sequence > v_next.last - v_count
        ORDER BY sequence
    LOOP
        IF v_by_branch THEN
            v_branch := event_branch(v_event.type, v_event.data);
            IF v_branch IS NULL AND event_order(v_event.data) IS NOT NULL THEN
                SELECT branch_id INTO v_branch FROM orders
                WHERE tenant_id = p_tenant AND id = event_order(v_event.data);
            END IF;
        END IF;
        IF v_by_field THEN
            v_changes := event_changes(v_event.data);
        END IF;
        FOR v_webhook IN
            SELECT w.id FROM webhooks w
            JOIN api_clients c ON c.tenant_id = p_tenant AND c.id = w.client_id
            LEFT JOIN installs s ON s.tenant_id = p_tenant AND s.id = c.install_id
            WHERE w.tenant_id = p_tenant AND w.id = ANY (v_webhooks) AND v_event.type = ANY (w.events)
                AND w.disabled_at IS NULL AND c.disabled_at IS NULL AND s.disconnected_at IS NULL
                AND ('*' = ANY (c.scopes) OR c.scopes @> event_read_scopes(v_event.type))
                AND (p_client IS NULL OR c.install_id IS NULL OR c.id = p_client)
                AND (v_branch IS NULL OR w.branch_ids = '{}' OR v_branch = ANY (w.branch_ids))
                AND (v_changes IS NULL OR w.changed_fields = '{}' OR w.changed_fields && v_changes)
            ORDER BY w.id
        LOOP
            INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
            VALUES (p_tenant, uuid_v7(v_next.assigned_at), v_webhook.id, v_event.id);
        END LOOP;
    END LOOP;
END $$;
