"""The packages that this installation offers to developers: the clients, and the service with its command line."""
