"""The published interfaces are the same on a distributed database."""

from tests.contract.test_contract import *  # noqa: F403
