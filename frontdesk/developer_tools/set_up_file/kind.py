"""What a kind of records is: where the API has them, and their fields."""

from collections.abc import Mapping
from typing import Any

import msgspec

from frontdesk.developer_tools.set_up_file.field_types import Field

Fields = Mapping[str, Field]


class Order(msgspec.Struct, frozen=True):
    """Records of this kind have places, which an operation of the API changes."""

    sorted_by: tuple[str, ...] = ()  # fields of the API, if its list has another order
    among: str = ""  # a field: the order is one among the records that have the same value there
    needs_status: bool = False  # what is retired has no place


class Kind(msgspec.Struct, frozen=True):
    section: str  # in the file
    noun: str
    path: str  # of the API
    fields: Fields
    status: str = "status"  # the field that is false for what was retired; "": a retired record is deleted
    newest_first: bool = False  # in the list of the API
    stays_itself: bool = False  # in another branch too: a person
    order: Order | None = None
    query: Mapping[str, str] = {}  # that lists all of them
    hidden_types: tuple[str, ...] = ()  # records that a file leaves out
    types_by_hand: tuple[str, ...] = ()  # records that only people create
    is_single: bool = False  # settings, which are always there

    def skips(self, document: Mapping[str, Any]) -> bool:
        return bool(self.hidden_types) and document["type"]["slug"] in self.hidden_types
