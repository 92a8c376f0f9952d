-- The keys of two objects whose values differ, joined by commas; null if there is none.
CREATE OR REPLACE FUNCTION changed_keys(p_before jsonb, p_after jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT string_agg(key, ', ' ORDER BY key) FROM jsonb_object_keys(p_before || p_after) AS key
        WHERE p_before -> key IS DISTINCT FROM p_after -> key);
END $$;
