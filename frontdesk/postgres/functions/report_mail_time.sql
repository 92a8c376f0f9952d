-- When the month of a moment is mailed: on the first day of the next one, eight hours after it begins.
CREATE OR REPLACE FUNCTION report_mail_time(p_tenant uuid,
    p_at timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_next date := date_trunc('month', report_day(p_tenant, p_at)::timestamp) + interval '1 month';
BEGIN
    RETURN day_start(v_next, (SELECT timezone FROM tenants WHERE id = p_tenant)) + interval '8 hours';
END $$;
