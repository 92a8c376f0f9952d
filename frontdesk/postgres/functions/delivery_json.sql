-- The published form of a delivery, with its event and all attempts.
CREATE OR REPLACE FUNCTION delivery_json(d record) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_event json;
    v_attempts json;
BEGIN
    SELECT json_build_object('id', id, 'type', type, 'sequence', sequence) INTO v_event
    FROM events WHERE tenant_id = d.tenant_id AND id = d.event_id;
    SELECT json_agg(json_build_object(
        'attempted_at', format_utc(attempted_at), 'milliseconds', milliseconds, 'status', status,
        'answer', response_body, 'error', error) ORDER BY attempted_at, id)
    INTO v_attempts FROM webhook_attempts WHERE tenant_id = d.tenant_id AND delivery_id = d.id;
    RETURN json_build_object(
        'id', d.id, 'webhook_id', d.webhook_id, 'event', v_event, 'state', d.state,
        'due_at', CASE WHEN d.state = 'due' THEN format_utc(d.due_at) END,
        'attempts', coalesce(v_attempts, '[]'), 'created_at', format_utc(d.created_at));
END $$;
