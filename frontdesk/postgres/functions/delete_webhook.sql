-- Deletes a webhook with its deliveries and returns its id. The events stay.
CREATE OR REPLACE FUNCTION delete_webhook(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_webhook uuid := (p ->> 'id')::uuid;
BEGIN
    DELETE FROM webhooks WHERE tenant_id = p_tenant AND client_id = (p ->> 'client_id')::uuid AND id = v_webhook;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    RETURN v_webhook;
END $$;
