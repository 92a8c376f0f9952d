"""Slots, numbers and idempotency keys are safe on a distributed database."""

from tests.races.test_numbers import test_successes_and_failures_leave_no_gap_and_no_repeat
from tests.races.test_retries import test_one_key_makes_one_order
from tests.races.test_slots import (
    test_as_many_orders_are_taken_as_there_are_free_providers,
    test_one_slot_of_a_named_provider_is_sold_once,
)

__all__ = [
    "test_as_many_orders_are_taken_as_there_are_free_providers",
    "test_one_key_makes_one_order",
    "test_one_slot_of_a_named_provider_is_sold_once",
    "test_successes_and_failures_leave_no_gap_and_no_repeat",
]
