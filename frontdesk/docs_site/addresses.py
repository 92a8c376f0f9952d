"""Addresses of the documentation that others name too, without its pages."""

GUIDES = "/docs/guides"
