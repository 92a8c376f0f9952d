-- migration: expand
-- By choice, an import takes a row and leaves out the values in it that cannot be read (decision 133).
ALTER TABLE imports
    ADD COLUMN leave_out_wrong boolean NOT NULL DEFAULT false, -- otherwise a row with a wrong value is refused
    ADD COLUMN left_out_rows integer NOT NULL DEFAULT 0; -- taken without one of their values
ALTER TABLE import_outcomes ADD COLUMN left_out jsonb; -- as `reason`, one for each value
