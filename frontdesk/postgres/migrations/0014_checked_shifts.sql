-- migration: expand
ALTER TABLE branches VALIDATE CONSTRAINT branches_drawer_count;
ALTER TABLE drawer_sessions VALIDATE CONSTRAINT drawer_sessions_ended;
