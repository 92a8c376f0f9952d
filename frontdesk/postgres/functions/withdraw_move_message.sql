-- Withdraws the message about the last move of an order if the customer has not got it, and returns whether it did. One
-- that an application was offered may be on its way. An earlier message that waits stays: it says what is true when it
-- is sent.
CREATE OR REPLACE FUNCTION withdraw_move_message(p_tenant uuid, p_order uuid)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE messages SET state = 'dropped', answer = 'undone', finished_at = now()
    WHERE tenant_id = p_tenant AND order_id = p_order AND kind = 'change' AND event_id IS NULL
        AND (state = 'due' AND lease IS NULL OR state = 'kept')
        AND created_at >= (SELECT max(h.created_at) FROM order_status_history h
            WHERE h.tenant_id = p_tenant AND h.order_id = p_order);
    RETURN FOUND;
END $$;
