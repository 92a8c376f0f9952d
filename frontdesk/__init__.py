"""Booking and point of sale for businesses, and an Open API for the applications they let in."""

__version__ = "0.1.0"
