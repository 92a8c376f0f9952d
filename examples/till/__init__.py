"""A small till: sells, splits, drafts, refunds and closes the day with the POS API."""
