-- The names of the fields that an event says have changed; null if it names none.
CREATE OR REPLACE FUNCTION event_changes(p_data json) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN json_typeof(p_data -> 'changed') = 'array'
        THEN ARRAY(SELECT json_array_elements_text(p_data -> 'changed')) END;
END $$;
