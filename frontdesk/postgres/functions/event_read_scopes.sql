-- The scopes that a client needs to receive an event, all of them.
CREATE OR REPLACE FUNCTION event_read_scopes(p_type text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE split_part(p_type, '.', 1)
        WHEN 'order' THEN ARRAY['orders:read']
        WHEN 'transaction' THEN ARRAY['transactions:read']
        WHEN 'customer' THEN ARRAY['customers:read']
        WHEN 'message' THEN ARRAY['customers:read', 'orders:read']
        WHEN 'item' THEN ARRAY['items:read']
        ELSE '{}'
    END;
END $$;
