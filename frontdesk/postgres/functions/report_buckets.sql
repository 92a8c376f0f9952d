-- What a sale of a day is added to: the sums of the day, and those of its month.
CREATE OR REPLACE FUNCTION report_buckets(p_day date) RETURNS TABLE (is_month boolean,
    day date) LANGUAGE sql IMMUTABLE AS $$
    VALUES (false, p_day), (true, date_trunc('month', p_day::timestamp)::date)
$$;
