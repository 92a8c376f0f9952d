"""A business as it is now, read from the API."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from operator import itemgetter
from typing import Any

import msgspec

from frontdesk.developer_tools.api import Document, new_session
from frontdesk.developer_tools.set_up_file.field_types import Find
from frontdesk.developer_tools.set_up_file.hours import OF_BRANCH, week_of
from frontdesk.developer_tools.set_up_file.kind import Fields, Kind
from frontdesk.developer_tools.set_up_file.kinds import ITEMS, KINDS, OPTION_FIELDS, STAFF
from frontdesk.developer_tools.set_up_file.records import Present, Slot, Values, name_of
from frontdesk.errors import StartupError
from frontdesk_client import ApiError, FrontdeskError, RetryPolicy
from frontdesk_client.models import DataResponse
from frontdesk_client.models.responses import PaginationMeta
from frontdesk_client.request import MAX_PER_PAGE, patch, path, read
from frontdesk_client.transports import SyncTransport

Business = dict[str, list[Present]]  # by section, in the order in which the records are written and created
_LEFT = " (left)"


class _Record(msgspec.Struct):
    data: Document


class _Records(msgspec.Struct):
    data: list[Document]
    meta: PaginationMeta


class SetUpApi:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def every(self, template: str, **query: object) -> list[Document]:
        """All records of a list."""
        rows: dict[str, Document] = {}
        for number in count(1):
            page = self._transport.send(read(template, _Records, per_page=MAX_PER_PAGE, page=number, **query))
            rows |= {row["id"]: row for row in page.data}
            if number >= page.meta.last_page:
                break
        return list(rows.values())

    def find(self, template: str, record_id: str) -> Document | None:
        try:
            return self._transport.send(read(path(template, record_id), _Record)).data
        except ApiError as error:
            if error.code != "not_found":
                raise
            return None

    def send(self, method: str, template: str, record_id: str, body: Mapping[str, Any]) -> Document:
        """A write with an Idempotency-Key. Null is sent as null."""
        request = patch(path(template, record_id), DataResponse[Document | None], None, **body)
        return self._transport.send(msgspec.structs.replace(request, method=method)).data or {}


@contextmanager
def connected_to(base_url: str, client_id: str | None, client_secret: str | None) -> Iterator[SetUpApi]:
    """What goes wrong is told in one line."""
    transport = SyncTransport(new_session(base_url, client_id, client_secret, RetryPolicy()))
    try:
        yield SetUpApi(transport)
    except FrontdeskError as error:
        raise StartupError(str(error)) from error
    finally:
        transport.http_client.close()


def read_business(api: SetUpApi) -> Business:
    slots: dict[tuple[str, str], Slot] = {}
    business: Business = {}

    def find(kind: str, record_id: str) -> Slot:
        return slots[kind, record_id]

    for kind in KINDS:
        documents = _documents(api, kind)
        records = [present_record(kind, document, find) for document in documents]
        for record in records:
            if "hours" in kind.fields:
                read_hours(api, kind, record)
            slots[kind.section, record.slot.id or ""] = record.slot
        if kind.is_single:
            records[0].slot.key = kind.section.replace("_", " ")
        else:
            name_records(kind, records)
        business[kind.section] = records
    business[STAFF.section] += _who_left(api, find)
    return business


def _documents(api: SetUpApi, kind: Kind) -> list[Document]:
    """In the order of the business."""
    if kind.is_single:
        return [api.find(kind.path, "") or {}]
    documents = [row for row in api.every(kind.path, **kind.query) if not kind.skips(row)]
    if kind.newest_first:
        documents.reverse()
    if kind.order is not None and kind.order.sorted_by:
        documents.sort(key=itemgetter(*kind.order.sorted_by))
    return documents


def _who_left(api: SetUpApi, find: Find) -> list[Present]:
    """They can come back. A file is written without them."""
    records = [present_record(STAFF, document, find) for document in api.every(STAFF.path, status="false")]
    for record in records:
        read_hours(api, STAFF, record)
        record.slot.key = name_of(record.values) + _LEFT
    return records


def present_record(kind: Kind, document: Document, find: Find) -> Present:
    """As the API returns it; `hours` are read for themselves."""
    values = _values(kind.fields, document, find)
    record = Present(Slot("", document.get("id")), values, document.get("version"))
    if kind is ITEMS:
        record.options = [_option(option, document, find) for option in document["options"]]
        name_records(None, record.options)
        if not any(option.values["is_active"] for option in record.options):
            values["base_sellable"] = None  # it is sold by itself
        if not document.get("stock_counted") or record.options:
            values["stock"] = None
    return record


def _option(option: Document, item: Document, find: Find) -> Present:
    values = _values(OPTION_FIELDS, option, find)
    if values["duration"] == item.get("duration"):
        values["duration"] = None  # that of the service
    if not option.get("quantity_counted"):
        values["quantity"] = None
    return Present(Slot("", option["id"]), values)


def _values(fields: Fields, document: Document, find: Find) -> Values:
    return {
        name: field.type.from_api(_part(document, field.of or name), find)
        for name, field in fields.items()
        if not field.by_itself
    }


def _part(document: Document, dotted: str) -> object:
    found: Any = document
    for name in dotted.split("."):
        found = None if found is None else found.get(name)
    return found


def read_hours(api: SetUpApi, kind: Kind, record: Present) -> None:
    """Those of the branch have a version of their own, which a staff member's must not be compared with."""
    document = api.find(f"{kind.path}/{{}}/working-hour", record.slot.id or "")
    if kind is STAFF and (document is None or document["source"] == "branch"):
        record.values["hours"], record.hours_version = OF_BRANCH, None
    else:
        record.values["hours"] = None if document is None else week_of(document)
        record.hours_version = None if document is None else document["version"]


def name_records(kind: Kind | None, records: Sequence[Present]) -> None:
    """The key of a record is its name. Where several have one name, the branch is added, else a number."""
    for record, key in zip(records, unique_keys([naming(kind, record.values) for record in records]), strict=True):
        record.slot.key = key


def naming(kind: Kind | None, values: Values) -> tuple[str, str]:
    branch = values.get("branch") if kind is not None else None
    return name_of(values), "" if branch is None else str(branch)


def unique_keys(names: Sequence[tuple[str, str]]) -> list[str]:
    """Of names and branches, in their order."""
    branches: dict[str, set[str]] = {}
    for name, branch in names:
        branches.setdefault(name, set()).add(branch)
    used: dict[str, None] = {}
    for name, branch in names:
        wanted = f"{name} ({branch})" if len(branches[name]) > 1 else name
        key = wanted
        for number in count(2):
            if key not in used and (key == name or key not in branches):
                break
            key = f"{wanted} {number}"
        used[key] = None
    return list(used)
