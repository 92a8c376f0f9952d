-- A minute of the day as HH:MM; beyond midnight it is that of the next day.
CREATE OR REPLACE FUNCTION format_minute(p_minute integer) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN lpad((p_minute / 60 % 24)::text, 2, '0') || ':' || lpad((p_minute % 60)::text, 2, '0');
END $$;
