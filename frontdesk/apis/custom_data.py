"""What an application stores with a record for itself: its fields in requests, and the filters of lists."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.apis.changes import ChangesQuery
from frontdesk.custom_data.types import MAX_KEYS, CustomDataChange, CustomDataFilter, Kind
from frontdesk.http.field_types import ShortText
from frontdesk.postgres.act import FunctionCall

MetadataKey = Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]+$")]
MetadataText = Annotated[str, Meta(max_length=500)]
SoughtText = Annotated[str, Meta(min_length=1, max_length=500)]
Metadata = Annotated[dict[MetadataKey, MetadataText | None], Meta(max_length=MAX_KEYS)]
OWN_FIELDS = ("external_id", "metadata")


class CustomDataFields(msgspec.Struct, kw_only=True):
    """Omitted fields and keys keep their values."""

    external_id: ShortText | UnsetType | None = UNSET
    metadata: Metadata | UnsetType | None = UNSET


class CustomDataQuery(ChangesQuery, kw_only=True):
    external_id: ShortText | None = None
    metadata: Annotated[dict[MetadataKey, SoughtText], Meta(max_length=MAX_KEYS)] | None = None

    def own(self) -> CustomDataFilter:
        return CustomDataFilter(self.metadata, self.external_id)


def stores(kind: Kind, *, is_new: bool = False) -> Callable[[CustomDataFields], Callable[[FunctionCall], FunctionCall]]:
    """What the body of a request stores with the record of its act. An empty text removes the key, as null does."""

    def of(body: CustomDataFields) -> Callable[[FunctionCall], FunctionCall]:
        if body.external_id is UNSET and body.metadata is UNSET:
            return _unchanged
        metadata = body.metadata
        if isinstance(metadata, dict):
            metadata = {key: text or None for key, text in metadata.items()}
        return CustomDataChange(kind, is_new, metadata, body.external_id).added_to

    return of


def _unchanged(call: FunctionCall) -> FunctionCall:
    return call
