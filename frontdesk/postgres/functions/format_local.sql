-- A timestamp in a time zone: ISO 8601 with the offset at that time. In PL/pgSQL, which keeps the plan of its query:
-- before version 18, PostgreSQL plans a function in SQL that contains a subquery again in every transaction. Statements
-- that format many rows contain the subquery themselves.
CREATE OR REPLACE FUNCTION format_local(ts timestamptz,
    zone text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    v_text text;
BEGIN
    SELECT to_char(ts AT TIME ZONE 'UTC' + z.shift, z.form) INTO v_text FROM time_zone_offsets z
    WHERE z.zone = format_local.zone AND z.starts <= ts ORDER BY z.starts DESC LIMIT 1;
    RETURN v_text;
END $$;
