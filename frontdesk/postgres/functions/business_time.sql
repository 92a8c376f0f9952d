-- The time of the business that this session works for; the default of columns.
CREATE OR REPLACE FUNCTION business_time() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.now() + make_interval(secs => coalesce(session_clock(), 0))
$$;
