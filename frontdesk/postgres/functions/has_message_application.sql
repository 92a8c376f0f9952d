-- Whether an application wants to send messages: it subscribes to `message.due`. Customers without an e-mail address
-- get messages only where there is one.
CREATE OR REPLACE FUNCTION has_message_application(p_tenant uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM FROM webhooks WHERE tenant_id = p_tenant AND disabled_at IS NULL AND 'message.due' = ANY (events) LIMIT 1;
    RETURN FOUND;
END $$;
