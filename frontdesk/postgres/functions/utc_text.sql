-- A timestamp as the APIs publish it: UTC, always with microseconds.
CREATE OR REPLACE FUNCTION utc_text(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
