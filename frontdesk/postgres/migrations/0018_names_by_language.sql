-- migration: expand
-- What customers read in place of the name, by language: a business can have a name in Arabic and one in Latin letters.
-- A language that is missing has the name itself.
ALTER TABLE tenants ADD names jsonb NOT NULL DEFAULT '{}';
