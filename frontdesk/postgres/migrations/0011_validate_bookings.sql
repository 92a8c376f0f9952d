-- migration: expand
-- Apart from the file that adds it: all rows are read.
ALTER TABLE bookings VALIDATE CONSTRAINT bookings_hold_their_time;
