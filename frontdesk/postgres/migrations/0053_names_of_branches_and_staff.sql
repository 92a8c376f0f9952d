-- migration: expand
-- What customers read in place of the name, by language, as in `tenants`. A language that is missing has the name.
ALTER TABLE branches ADD names jsonb NOT NULL DEFAULT '{}';
ALTER TABLE staff ADD names jsonb NOT NULL DEFAULT '{}';
