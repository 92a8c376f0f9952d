"""A small accounting application: books, is paid, receives webhooks, and checks that its journal is complete."""
