-- Emits a webhook.ping event to one webhook, whatever that subscribes to, and returns the id of the delivery, which p
-- names. Only the client of the webhook can read the event. Locks as emit_events does: the webhook, then the counter.
CREATE OR REPLACE FUNCTION ping_webhook(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_webhook uuid := (p ->> 'id')::uuid;
    v_client uuid := (p ->> 'client_id')::uuid;
    v_delivery uuid := (p ->> 'delivery_id')::uuid;
    v_sequence bigint;
    v_at timestamptz;
    v_event uuid;
    v_url text;
BEGIN
    SELECT w.url INTO v_url FROM webhooks w
    JOIN api_clients c ON c.tenant_id = p_tenant AND c.id = w.client_id
    LEFT JOIN installs s ON s.tenant_id = p_tenant AND s.id = c.install_id
    WHERE w.tenant_id = p_tenant AND w.client_id = v_client AND w.id = v_webhook
        AND w.disabled_at IS NULL AND c.disabled_at IS NULL AND s.disconnected_at IS NULL
    FOR KEY SHARE OF w;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    SELECT n.last, n.assigned_at INTO v_sequence, v_at FROM next_number(p_tenant, 'events') n;
    v_event := uuid_v7(v_at);
    INSERT INTO events (tenant_id, id, sequence, type, visible_to_client_id, data, created_at)
    VALUES (p_tenant, v_event, v_sequence, 'webhook.ping', v_client, json_build_object('webhook_id', v_webhook), v_at);
    INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
    VALUES (p_tenant, v_delivery, v_webhook, v_event);
    PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.pinged', v_webhook, v_url);
    RETURN v_delivery;
END $$;
