"""Scenarios on the calls of an application: its requests come by the proxy of the kit, which watches them."""
