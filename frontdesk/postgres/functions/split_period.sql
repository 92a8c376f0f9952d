-- The sums that make up the days from `p_from` up to but not including `p_until`: whole months, and the days before and
-- after.
CREATE OR REPLACE FUNCTION split_period(p_from date, p_until date)
RETURNS TABLE (is_month boolean, day date, until date) LANGUAGE sql IMMUTABLE AS $$
    SELECT p.is_month, p.day, p.until
    FROM (SELECT date_trunc('month', p_from::timestamp + interval '1 month' - interval '1 day')::date AS first,
        date_trunc('month', p_until::timestamp)::date AS last) m
    CROSS JOIN LATERAL (VALUES
        (true, m.first, m.last),
        (false, p_from, CASE WHEN m.first < m.last THEN m.first ELSE p_until END),
        (false, CASE WHEN m.first < m.last THEN m.last ELSE p_until END, p_until)) p (is_month, day, until)
    WHERE p.day < p.until
$$;
