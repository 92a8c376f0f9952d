-- A timestamp as the APIs publish it: UTC, always with microseconds.
CREATE OR REPLACE FUNCTION format_utc(ts timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT to_char(ts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
