-- The published form of a snapshot of a sandbox.
CREATE OR REPLACE FUNCTION sandbox_snapshot_json(s record) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', s.id, 'name', s.name, 'orders_count', s.orders, 'created_at', format_utc(s.created_at));
END $$;
