-- Deletes a feed that has not changed since it was read, so that its address answers nothing, and returns its id.
CREATE OR REPLACE FUNCTION delete_calendar_feed(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    f calendar_feeds;
BEGIN
    DELETE FROM calendar_feeds
    WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid AND version = (p ->> 'version')::integer RETURNING * INTO f;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', CASE WHEN f.staff_id IS NULL THEN 'branch' ELSE 'staff_member' END
        || '.feed_removed', coalesce(f.staff_id, f.branch_id), p ->> 'name');
    RETURN f.id;
END $$;
