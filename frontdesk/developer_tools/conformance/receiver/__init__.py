"""Deliveries to a receiver of webhooks, right ones and wrong ones."""
