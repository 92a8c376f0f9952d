-- migration: expand
-- For applications that ask who began or changed to wait since a moment. Earlier entries count as changed now.
ALTER TABLE waiting_list ADD updated_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE waiting_list ALTER updated_at SET DEFAULT business_time();
