-- migration: expand
-- What a staff member is, by language ("Senior stylist"): customers who choose between people read it. '{}': none.
ALTER TABLE staff ADD title jsonb NOT NULL DEFAULT '{}';
