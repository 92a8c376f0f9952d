-- Changes what p names of a webhook and returns its id. With `seen` it must not have changed since then. Where it is
-- enabled or gets another URL, earlier failures no longer count.
CREATE OR REPLACE FUNCTION update_webhook(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := now();
    c record;
    o webhooks;
    n webhooks;
BEGIN
    SELECT * INTO c FROM jsonb_to_record(p) AS r (
        id uuid, client_id uuid, url text, events text[], branch_ids uuid[], changed_fields text[], is_thin boolean,
        active boolean, disabled_reason jsonb);
    SELECT * INTO o FROM webhooks WHERE tenant_id = p_tenant AND client_id = c.client_id
        AND id = c.id FOR NO KEY UPDATE;
    IF p ->> 'seen' <> format_utc(o.updated_at) THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE webhooks SET
        url = coalesce(c.url, url), events = coalesce(c.events, events),
        branch_ids = coalesce(c.branch_ids, branch_ids), changed_fields = coalesce(c.changed_fields, changed_fields),
        is_thin = coalesce(c.is_thin, is_thin),
        disabled_at = CASE WHEN c.active THEN NULL WHEN NOT c.active THEN coalesce(disabled_at, v_now)
            ELSE disabled_at END,
        disabled_reason = CASE WHEN c.active THEN NULL WHEN NOT c.active
            THEN coalesce(disabled_reason, c.disabled_reason)
                ELSE disabled_reason END,
        failing_since = CASE WHEN c.active OR c.url <> url THEN NULL ELSE failing_since END,
        paused_until = CASE WHEN c.active OR c.url <> url THEN NULL ELSE paused_until END,
        updated_at = now()
    WHERE tenant_id = p_tenant AND client_id = c.client_id AND id = c.id RETURNING * INTO n;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.updated', c.id, n.url,
        jsonb_build_object('url', o.url, 'events', o.events, 'active', o.disabled_at IS NULL, 'branches', o.branch_ids,
            'changed_fields', o.changed_fields, 'thin', o.is_thin),
        jsonb_build_object('url', n.url, 'events', n.events, 'active', n.disabled_at IS NULL, 'branches', n.branch_ids,
            'changed_fields', n.changed_fields, 'thin', n.is_thin));
    IF n.disabled_at IS NULL THEN
        PERFORM notify_delivery_workers();
    END IF;
    RETURN c.id;
END $$;
