"""The page on which customers book: its settings, and the links to their own bookings."""
