-- Ends the deliveries of the event that offered a message, except one that is being sent: no other application receives
-- it.
CREATE OR REPLACE FUNCTION withdraw_offer(p_tenant uuid, p_message uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_event uuid := (SELECT event_id FROM messages WHERE tenant_id = p_tenant AND id = p_message);
BEGIN
    PERFORM FROM webhook_deliveries WHERE tenant_id = p_tenant AND event_id = v_event ORDER BY id FOR NO KEY UPDATE;
    UPDATE webhook_deliveries SET state = 'dead'
    WHERE tenant_id = p_tenant AND event_id = v_event AND state = 'due'
        AND (leased_until IS NULL OR leased_until < now());
END $$;
