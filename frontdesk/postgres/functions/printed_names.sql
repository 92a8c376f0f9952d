-- The names, by language, that a paper shows for a sold line: those of the catalogue while the name that was sold is
-- still among them, else none, so that the stored name of the line is shown. What was sold does not change when an item
-- is renamed.
CREATE OR REPLACE FUNCTION printed_names(p_sold text, p_names jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_sold IN (SELECT value FROM jsonb_each_text(p_names)) THEN p_names ELSE '{}' END
$$;
