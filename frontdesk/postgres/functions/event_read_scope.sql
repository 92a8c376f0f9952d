-- The scope that a client needs to receive an event; null where it needs none.
CREATE OR REPLACE FUNCTION event_read_scope(p_type text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE split_part(p_type, '.', 1)
        WHEN 'order' THEN 'orders:read'
        WHEN 'transaction' THEN 'transactions:read'
        WHEN 'customer' THEN 'customers:read'
        WHEN 'message' THEN 'customers:read'
        WHEN 'item' THEN 'items:read'
    END;
END $$;
