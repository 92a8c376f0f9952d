"""An application that takes tasks, as `frontdesk conformance` tries it: receives webhooks, and calls the API."""
