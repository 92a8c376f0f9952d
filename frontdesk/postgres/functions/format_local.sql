-- A timestamp in a time zone: ISO 8601 with the offset at that time. Statements that format many rows contain this
-- subquery themselves, because calling the function costs three times as much.
CREATE OR REPLACE FUNCTION format_local(ts timestamptz, zone text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT (SELECT to_char(ts AT TIME ZONE 'UTC' + z.shift, z.form) FROM time_zone_offsets z
        WHERE z.zone = format_local.zone AND z.starts <= ts ORDER BY z.starts DESC LIMIT 1)
$$;
