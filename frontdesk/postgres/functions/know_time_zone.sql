-- Stores the rules of a time zone for all businesses, unless they are stored: its name, the release of tzdata that they
-- come from, and its offsets, as time_zones.py computes them.
CREATE OR REPLACE FUNCTION know_time_zone(p_zone jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO time_zones (name, release) VALUES (p_zone ->> 'name', p_zone ->> 'release') ON CONFLICT DO NOTHING;
    IF FOUND THEN
        INSERT INTO time_zone_offsets (zone, starts, shift, form)
        SELECT p_zone ->> 'name', o.starts, make_interval(secs => o.seconds), o.form
        FROM jsonb_to_recordset(p_zone -> 'offsets') AS o (starts timestamptz, seconds integer, form text);
    END IF;
END $$;
