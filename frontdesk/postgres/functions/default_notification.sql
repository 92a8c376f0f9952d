-- What a member of a role learns of bookings until they choose: owners of what happens online, also by mail; providers
-- of all that concerns them; those at the desk see the calendar, and are notified on the bell of what happens online.
CREATE OR REPLACE FUNCTION default_notification(p_role text, p_way text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_role = 'provider' THEN 'all' WHEN p_role = 'owner' THEN 'online' WHEN p_role = 'cashier'
        THEN 'none'
        WHEN p_way = 'bell' THEN 'online' ELSE 'none' END
$$;
