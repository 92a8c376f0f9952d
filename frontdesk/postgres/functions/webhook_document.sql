-- The published form of one webhook. Null for an unknown id.
CREATE OR REPLACE FUNCTION webhook_document(p_tenant uuid, p_webhook uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    w webhooks;
BEGIN
    SELECT * INTO w FROM webhooks WHERE tenant_id = p_tenant AND id = p_webhook;
    RETURN CASE WHEN FOUND THEN webhook_json(w) END;
END $$;
