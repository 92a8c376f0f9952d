-- Ends a write whose input has changed since it was read. The caller reads again and retries.
CREATE OR REPLACE FUNCTION raise_outdated() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the data has changed since it was read' USING ERRCODE = 'FD001';
END $$;
