-- Makes a delivery due now, unless it is being sent, and returns its id.
CREATE OR REPLACE FUNCTION retry_delivery(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_delivery uuid := (p ->> 'id')::uuid;
    v_webhook webhooks;
BEGIN
    SELECT w.* INTO v_webhook FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = p_tenant
        AND w.id = d.webhook_id
    WHERE d.tenant_id = p_tenant AND d.id = v_delivery AND w.client_id = (p ->> 'client_id')::uuid
        AND w.disabled_at IS NULL;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE webhook_deliveries SET state = 'due', due_at = now(), lease = NULL, leased_until = NULL, parked = false
    WHERE tenant_id = p_tenant AND id = v_delivery AND (leased_until IS NULL OR leased_until <= now());
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.sent_again', v_webhook.id, v_webhook.url);
        PERFORM notify_delivery_workers();
    END IF;
    RETURN v_delivery;
END $$;
