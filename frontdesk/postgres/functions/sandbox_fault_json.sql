-- The published form of a fault of a sandbox.
CREATE OR REPLACE FUNCTION sandbox_fault_json(f record) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', f.id, 'kind', f.kind, 'status', f.status, 'code', f.code, 'route', f.route, 'seconds', f.seconds,
        'times', f.times, 'remaining', f.remaining, 'created_at', format_utc(f.created_at));
END $$;
