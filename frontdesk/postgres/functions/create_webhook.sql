-- Creates a webhook and returns its id. p also has the limits of webhooks/subscribe.py: the number of webhooks of a
-- client, and the quota of the plan that was read.
CREATE OR REPLACE FUNCTION create_webhook(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    w record;
    v_plan text := lock_quotas(p_tenant);
BEGIN
    SELECT * INTO w FROM jsonb_to_record(p) AS r (
        id uuid, client_id uuid, url text, events text[], branch_ids uuid[], changed_fields text[], is_thin boolean,
        disabled_reason jsonb, plan text, quota integer, max_of_client integer);
    IF v_plan <> w.plan OR count_webhooks(p_tenant) >= w.quota OR w.max_of_client <= (
        SELECT count(*) FROM webhooks WHERE tenant_id = p_tenant AND client_id = w.client_id) THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO webhooks (tenant_id, id, client_id, url, events, branch_ids, changed_fields, is_thin, secret,
        disabled_at, disabled_reason)
    VALUES (p_tenant, w.id, w.client_id, w.url, w.events, coalesce(w.branch_ids, '{}'),
        coalesce(w.changed_fields, '{}'), coalesce(w.is_thin, false), decode(p ->> 'secret', 'base64'),
        CASE WHEN w.disabled_reason IS NOT NULL THEN now() END, w.disabled_reason);
    PERFORM record_activity(p_tenant, p -> 'actor', 'webhook.created', w.id, w.url, NULL,
        jsonb_build_object('url', w.url, 'events', w.events));
    RETURN w.id;
END $$;
