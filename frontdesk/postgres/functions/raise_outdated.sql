-- Ends a write whose input was read before somebody else changed the same rows. The caller reads again and retries.
CREATE OR REPLACE FUNCTION raise_outdated() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the data has changed since it was read' USING ERRCODE = 'FD001';
END $$;
