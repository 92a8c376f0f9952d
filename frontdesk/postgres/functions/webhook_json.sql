-- The published form of a webhook. It does not contain the secret.
CREATE OR REPLACE FUNCTION webhook_json(w record) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', w.id, 'url', w.url, 'events', w.events, 'branches', w.branch_ids, 'changed_fields', w.changed_fields,
        'payload', CASE WHEN w.is_thin THEN 'thin' ELSE 'full' END, 'active', w.disabled_at IS NULL,
        'disabled_at', format_utc(w.disabled_at),
        'disabled_reason', CASE w.disabled_reason ->> 'kind'
            WHEN 'SWITCHED_OFF' THEN 'Switched off by hand.'
            WHEN 'NOT_REQUESTED' THEN 'Its application does not ask for events any more.'
            WHEN 'GONE' THEN 'The receiver answered 410 Gone.'
            WHEN 'NOTHING_ARRIVED' THEN format('Nothing has arrived for %s days.', w.disabled_reason ->> 'days') END,
        'failing_since', format_utc(w.failing_since),
        'previous_secret_until',
            CASE WHEN w.previous_secret_until > now() THEN format_utc(w.previous_secret_until) END,
        'created_at', format_utc(w.created_at), 'updated_at', format_utc(w.updated_at));
END $$;
