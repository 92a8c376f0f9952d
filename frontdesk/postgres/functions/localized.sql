-- A name in one of its languages, for records that are read in any language.
CREATE OR REPLACE FUNCTION localized(p_name jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(p_name ->> 'en', p_name ->> 'ar', '')
$$;
