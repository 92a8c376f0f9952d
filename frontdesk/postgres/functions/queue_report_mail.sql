-- Queues the monthly report of a member when it is time, and says when the next one is: one transaction, so that
-- whatever crashes, a month is mailed once. If nothing was sent for months, only the last one is.
CREATE OR REPLACE FUNCTION queue_report_mail(p_tenant uuid, p_user uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_next timestamptz := report_mail_time(p_tenant, now());
    v_month date := date_trunc('month', report_day(p_tenant, now())::timestamp) - interval '1 month';
BEGIN
    UPDATE report_settings SET next_mail_at = v_next
    WHERE tenant_id = p_tenant AND user_id = p_user AND next_mail_at <= now();
    IF NOT FOUND THEN
        RETURN; -- another worker has queued it
    END IF;
    INSERT INTO report_mails (tenant_id, id, user_id, month)
    VALUES (p_tenant, uuid_v7(clock_timestamp()), p_user, v_month)
    ON CONFLICT (tenant_id, user_id, month) DO NOTHING;
END $$;
