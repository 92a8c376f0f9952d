-- Makes the oldest failed deliveries of an enabled webhook due now and returns their number, `limit` at most.
CREATE OR REPLACE FUNCTION retry_failed_deliveries(p_tenant uuid,
    p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_webhook uuid := (p ->> 'id')::uuid;
    v_failed uuid[] := ARRAY(
        SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = p_tenant AND w.id = d.webhook_id
        WHERE d.tenant_id = p_tenant AND d.webhook_id = v_webhook AND d.state = 'dead'
            AND w.client_id = (p ->> 'client_id')::uuid AND w.disabled_at IS NULL
        ORDER BY d.created_at, d.id LIMIT (p ->> 'limit')::integer);
    v_count integer;
BEGIN
    PERFORM FROM webhook_deliveries WHERE tenant_id = p_tenant AND id = ANY (v_failed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE webhook_deliveries SET state = 'due', due_at = now(), lease = NULL, leased_until = NULL, parked = false
    WHERE tenant_id = p_tenant AND id = ANY (v_failed) AND state = 'dead';
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count > 0 THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.sent_again', v_webhook, w.url, NULL,
            jsonb_build_object('deliveries', v_count))
        FROM webhooks w WHERE w.tenant_id = p_tenant AND w.id = v_webhook;
        PERFORM notify_delivery_workers();
    END IF;
    RETURN v_count;
END $$;
