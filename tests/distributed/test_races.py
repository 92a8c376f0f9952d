"""Slots, numbers and idempotency keys are safe on a distributed database."""

from tests.races.test_numbers import test_order_numbers_have_no_gaps_and_no_repeats
from tests.races.test_retries import test_one_key_makes_one_order
from tests.races.test_slots import (
    test_as_many_orders_are_taken_as_there_are_free_providers,
    test_one_slot_of_a_named_provider_is_sold_once,
)

__all__ = [
    "test_as_many_orders_are_taken_as_there_are_free_providers",
    "test_one_key_makes_one_order",
    "test_one_slot_of_a_named_provider_is_sold_once",
    "test_order_numbers_have_no_gaps_and_no_repeats",
]
