-- migration: expand
-- An export is made, and ends, at the time of its business, which may be a sandbox whose clock was moved.
ALTER TABLE record_exports ALTER created_at SET DEFAULT business_time();
