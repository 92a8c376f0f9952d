-- The time now, or the previous one where the clock has gone backward. It reads the clock although it is marked
-- IMMUTABLE, because a distributed database accepts nothing else in ON CONFLICT. Call it with a column only: then it is
-- evaluated for the row, after its lock.
CREATE OR REPLACE FUNCTION monotonic_now(p_previous timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN greatest(clock_timestamp(), p_previous);
END $$;
