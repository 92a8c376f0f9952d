-- migration: expand
-- A booking that a person has made on purpose over another one or outside the hours (`is_extra`) has an empty `busy`,
-- so that bookings_no_overlap does not see it: the constraint itself, which cannot be built while others write, stays.
-- A booking that was done before its end (`ended_at`) holds its time until then. All others hold all of their time.
ALTER TABLE bookings
    ADD is_extra boolean NOT NULL DEFAULT false,
    ADD ended_at timestamptz;
ALTER TABLE bookings ADD CONSTRAINT bookings_hold_their_time CHECK (
    NOT lower_inf(busy) AND NOT upper_inf(busy)
    AND CASE WHEN is_extra THEN isempty(busy) ELSE ended_at IS NOT NULL OR busy @> during END) NOT VALID;
ALTER TABLE bookings DROP CONSTRAINT bookings_check;
