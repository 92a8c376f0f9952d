"""The tests of this folder run on a Citus cluster; most of them are tests of other folders, collected here again."""

from tests.races.conftest import new_race, origins

__all__ = ["new_race", "origins"]
