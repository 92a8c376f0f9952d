-- The rules of time zones, copied from the Python package tzdata. No statement uses PostgreSQL's own rules: those are as
-- old as the server's packages, and the times that are offered would differ from the times that are shown.

-- The zones that businesses have. The release is the one the offsets were copied from; '' until they are.
CREATE TABLE time_zones (
    name text COLLATE "C" PRIMARY KEY,
    release text COLLATE "C" NOT NULL
);

-- From `starts` on local time is UTC plus `shift`, until the zone's next row. The first row is before every moment that
-- a request can name, the last one behind it. `form` is for to_char(): it ends with the offset.
CREATE TABLE time_zone_offsets (
    zone text COLLATE "C" NOT NULL REFERENCES time_zones ON DELETE CASCADE,
    starts timestamptz NOT NULL,
    shift interval NOT NULL,
    form text NOT NULL,
    PRIMARY KEY (zone, starts) INCLUDE (shift, form)
);

INSERT INTO time_zones (name, release) SELECT DISTINCT timezone, '' FROM tenants;
ALTER TABLE tenants ADD CONSTRAINT tenants_timezone_known FOREIGN KEY (timezone) REFERENCES time_zones;

-- Statements write this subquery out, which costs a third of the call.
CREATE OR REPLACE FUNCTION local_text(moment timestamptz, zone text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT to_char(moment AT TIME ZONE 'UTC' + z.shift, z.form) FROM time_zone_offsets z
        WHERE z.zone = local_text.zone AND z.starts <= moment ORDER BY z.starts DESC LIMIT 1);
