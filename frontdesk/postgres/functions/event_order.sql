-- The order of the events that name only its id.
CREATE OR REPLACE FUNCTION event_order(p_data json) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN coalesce(p_data -> 'transaction' -> 'order' ->> 'id', p_data -> 'message' ->> 'order_id')::uuid;
END $$;
