"""A small till: sells, splits, drafts, refunds and closes the day over the key interface."""
