"""A changelog of made-up descriptions, in place of that of the service."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from frontdesk.changelog import concerning, versions as history

_ORDER = {"type": "object", "properties": {"id": {"type": "string"}}}
_READS_AN_ORDER = {
    "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}}
}


@contextmanager
def made_up_changelog(folder: Path) -> Iterator[None]:
    """Three publications of a small made-up description."""
    lists = {"parameters": [], "responses": {"200": {}}}
    first = {
        "paths": {"/orders/{uuid}": {"get": _READS_AN_ORDER}, "/limits": {"get": lists}, "/items": {"get": lists}},
        "webhooks": {"order.created": {"post": {"responses": {"200": {}}}}},
        "components": {"schemas": {"Order": _ORDER}},
    }
    second = msgspec.json.decode(msgspec.json.encode(first))
    second["components"]["schemas"]["Order"]["properties"]["tip"] = {"type": "number"}
    second["paths"]["/items"]["get"]["deprecated"] = True
    third = msgspec.json.decode(msgspec.json.encode(second))
    del third["webhooks"]["order.created"]
    third["paths"]["/limits"]["get"]["parameters"] = [{"in": "query", "name": "at", "schema": {"type": "string"}}]
    for day, document in (("2027-01-02", first), ("2027-02-03", second), ("2027-03-04", third)):
        (folder / day).mkdir()
        (folder / day / "open-api.json").write_bytes(msgspec.json.encode(document))
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module in (history, concerning):
            monkeypatch.setattr(module, "FOLDER", folder)
        _forget()
        yield
    _forget()


def _forget() -> None:
    history.entries.cache_clear()
    concerning.schemas_by_use.cache_clear()
