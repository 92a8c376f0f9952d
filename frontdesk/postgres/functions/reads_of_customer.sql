-- What an API client was shown of a customer, and when; null if nothing. Files of all customers count since the
-- customer was among them.
CREATE OR REPLACE FUNCTION reads_of_customer(p_tenant uuid, p_customer uuid, p_caller uuid) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
    c_everyone CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    v_since date;
BEGIN
    SELECT (created_at AT TIME ZONE 'UTC')::date INTO v_since FROM customers
    WHERE tenant_id = p_tenant AND id = p_customer;
    RETURN (
        SELECT json_agg(json_build_object('fields', r.fields, 'first_on', r.first_on, 'last_on', r.last_on,
            'days', r.days) ORDER BY r.fields)
        FROM (
            SELECT fields, greatest(min(first_on), v_since) AS first_on, max(last_on) AS last_on, max(days) AS days
            FROM customer_reads WHERE tenant_id = p_tenant AND customer_id IN (p_customer, c_everyone)
                AND caller_id = p_caller AND last_on >= v_since
            GROUP BY fields) r);
END $$;
