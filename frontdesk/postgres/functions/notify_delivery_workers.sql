-- Wakes the workers that deliver events. It is for rare changes only (a webhook is enabled, a delivery is retried): at
-- the commit NOTIFY takes a lock of the whole database cluster, so emit_events does not call it. The workers poll
-- anyway.
CREATE OR REPLACE FUNCTION notify_delivery_workers() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_notify('frontdesk_deliveries', '');
END $$;
