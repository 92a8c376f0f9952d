-- migration: expand
-- When it was pinned to the top of the till; null: it is not. What was pinned first comes first.
ALTER TABLE items ADD pinned_at timestamptz;
ALTER TABLE packages ADD pinned_at timestamptz;
