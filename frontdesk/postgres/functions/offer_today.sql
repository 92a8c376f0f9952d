-- The offer price on the days of the offer, null on others. PostgreSQL puts the expression into the calling statement.
CREATE OR REPLACE FUNCTION offer_today(p_offer numeric, p_from date, p_until date, p_zone text) RETURNS numeric
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_from IS NULL AND p_until IS NULL
        OR local_today(p_zone) BETWEEN coalesce(p_from, '-infinity') AND coalesce(p_until, 'infinity') THEN p_offer END
$$;
