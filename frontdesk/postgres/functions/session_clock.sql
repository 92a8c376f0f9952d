-- How many seconds the time of this session is ahead of the real one; null in all sessions but those that work for a
-- sandbox whose clock was moved.
CREATE OR REPLACE FUNCTION session_clock() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT nullif(current_setting('frontdesk.clock', true), '')::bigint
$$;
