-- A text of several languages where the APIs publish one: in the tenant's first language that has it.
CREATE OR REPLACE FUNCTION published_text(p_text jsonb, p_languages text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(p_text ->> p_languages[1], p_text ->> p_languages[2], p_text ->> 'en', p_text ->> 'ar', '')
$$;
