-- Replaces the signing secret of a webhook and returns its id. The previous secret also signs for 24 hours.
CREATE OR REPLACE FUNCTION rotate_webhook_secret(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_webhook uuid := (p ->> 'id')::uuid;
    v_url text;
BEGIN
    UPDATE webhooks SET previous_secret = secret, previous_secret_until = now() + interval '24 hours',
        secret = decode(p ->> 'secret', 'base64'), updated_at = now()
    WHERE tenant_id = p_tenant AND client_id = (p ->> 'client_id')::uuid AND id = v_webhook
    RETURNING url INTO v_url;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.secret_rotated', v_webhook, v_url);
    RETURN v_webhook;
END $$;
