-- migration: expand
-- Events of orders are compressed: they are more than half of what a business stores in a month (decision 114). The
-- rows that are there stay as they are for their thirty days.
ALTER TABLE events RESET (toast_tuple_target);
