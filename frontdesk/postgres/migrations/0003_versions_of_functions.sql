-- migration: expand
-- The program that last replaced the function. An older one does not replace it again, because both may run.
ALTER TABLE schema_functions ADD program text;

-- Which functions have rendered a stored document. Replaced after them, see frontdesk/postgres/replace_functions.py.
CREATE FUNCTION rendering_generation() RETURNS text LANGUAGE sql STABLE AS $$ SELECT '' $$;
