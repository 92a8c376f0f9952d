-- Whether queue_order_message does anything for a new booking of an application. By default it does not.
CREATE OR REPLACE FUNCTION has_messages_for_applications(p_tenant uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM FROM message_settings
    WHERE tenant_id = p_tenant AND (for_applications OR reminder AND quiet_from IS NOT NULL);
    RETURN FOUND;
END $$;
