-- Deletes a webhook with its deliveries and returns its id. The events stay.
CREATE OR REPLACE FUNCTION delete_webhook(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_webhook uuid := (p ->> 'id')::uuid;
    v_url text;
BEGIN
    SELECT url INTO v_url FROM webhooks
    WHERE tenant_id = p_tenant AND client_id = (p ->> 'client_id')::uuid AND id = v_webhook FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM FROM webhook_deliveries WHERE tenant_id = p_tenant AND webhook_id = v_webhook ORDER BY id FOR UPDATE;
    DELETE FROM webhooks WHERE tenant_id = p_tenant AND id = v_webhook;
    PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.deleted', v_webhook, v_url);
    RETURN v_webhook;
END $$;
