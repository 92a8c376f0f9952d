"""What an application stores with orders, customers, items and staff for itself."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.custom_data.problems import CustomDataProblem
from frontdesk.postgres.act import FunctionCall
from frontdesk.problems import Problem

Kind = Literal["order", "customer", "item", "staff"]
MAX_KEYS = 50  # of one record
_ERRORS: Mapping[str, Callable[[], Exception]] = MappingProxyType(
    {
        "FD006": lambda: Problem(CustomDataProblem.EXTERNAL_ID_TAKEN),
        "FD007": lambda: Problem(CustomDataProblem.TOO_MANY_KEYS, "metadata", most=MAX_KEYS),
    }
)


class CustomDataChange(msgspec.Struct, frozen=True):
    """Of the record that an act answers with. Keys with None are removed, and all of them if `metadata` is None."""

    kind: Kind
    is_new: bool  # the act creates the record
    metadata: Mapping[str, str | None] | UnsetType | None = UNSET
    external_id: str | UnsetType | None = UNSET

    def added_to(self, call: FunctionCall) -> FunctionCall:
        """Written in the same transaction."""
        sent = {name: value for name, value in msgspec.structs.asdict(self).items() if value is not UNSET}
        return call._replace(custom_data=sent | {"max_keys": MAX_KEYS}, errors={**call.errors, **_ERRORS})


class CustomDataFilter(msgspec.Struct, frozen=True):
    """Of a list: only records with which the caller has stored this."""

    metadata: Mapping[str, str] | None = None
    external_id: str | None = None


NO_FILTER = CustomDataFilter()
