-- The scopes that a client needs to receive an event, all of them.
CREATE OR REPLACE FUNCTION event_read_scopes(p_type text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE split_part(p_type, '.', 1)
        WHEN 'order' THEN ARRAY['orders:read']
        WHEN 'transaction' THEN ARRAY['transactions:read']
        WHEN 'customer' THEN ARRAY['customers:read']
        WHEN 'message' THEN ARRAY['customers:read', 'orders:read']
        WHEN 'item' THEN ARRAY['items:read']
        WHEN 'package' THEN ARRAY['items:read']
        WHEN 'tax_class' THEN ARRAY['items:read']
        WHEN 'category' THEN ARRAY['categories:read']
        WHEN 'staff' THEN ARRAY['staff:read']
        WHEN 'working_hours' THEN ARRAY['staff:read']
        WHEN 'hour_exception' THEN ARRAY['staff:read']
        WHEN 'time_off' THEN ARRAY['staff:read']
        WHEN 'branch' THEN ARRAY['branches:read']
        WHEN 'closed_days' THEN ARRAY['branches:read']
        WHEN 'settings' THEN ARRAY['branches:read']
        WHEN 'booking_page' THEN ARRAY['branches:read']
        WHEN 'drawer_settings' THEN ARRAY['branches:read']
        WHEN 'message_settings' THEN ARRAY['branches:read']
        WHEN 'payment_method' THEN ARRAY['payment_methods:read']
        ELSE '{}'
    END;
END $$;
