"""A small accounting application: books, is paid, is told by webhooks, and proves that its journal is whole."""
