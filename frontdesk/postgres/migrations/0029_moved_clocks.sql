-- migration: expand
-- For the workers, which look for the few businesses with a clock of their own.
CREATE INDEX CONCURRENTLY tenants_with_moved_clocks ON tenants (id) WHERE clock_ahead IS NOT NULL;
