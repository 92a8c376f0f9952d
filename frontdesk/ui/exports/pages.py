"""Exports: every list as CSV or as an Excel workbook, and the whole business as an archive."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, BinaryIO

import msgspec

from frontdesk.activity.record import record_activity
from frontdesk.activity.types import RecordedChange
from frontdesk.exports.archive import ARCHIVE_TYPE, archive_file
from frontdesk.exports.csv_lines import CSV_TYPE, csv_lines
from frontdesk.exports.list_types import ListName
from frontdesk.exports.lists import LISTS
from frontdesk.exports.queries import Conditions, read_batch
from frontdesk.exports.xlsx_lines import XLSX_TYPE, Cell, Workbook
from frontdesk.http.responses import Response, download
from frontdesk.postgres.pool import Connection
from frontdesk.runtime.slow_work import ARCHIVES
from frontdesk.ui.activity.labels import action_sentence
from frontdesk.ui.exports import labels
from frontdesk.ui.exports.filters import FILTERS, Filter, PeriodQuery, period_conditions
from frontdesk.ui.shell.changed_values import changed_values
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/export"
_Rows = list[Sequence[Any]]
_FILE_BLOCK = 256 * 1024


@pages.get(PATH, MANAGERS)
async def show_exports(context: PageContext) -> Response:
    return context.render("export.html", lists=LISTS, labels=labels, is_owner=context.has_access(OWNERS))


def _add_export(name: ListName, extension: str) -> None:
    """The list has the filters of the page that it is exported from."""
    filter_ = FILTERS.get(name, Filter(PeriodQuery, partial(period_conditions, name)))

    @pages.get(f"{PATH}/{name.value}.{extension}", MANAGERS, query=filter_.query)
    async def export(context: PageContext, query: msgspec.Struct) -> Response:
        return await _download(context, name, extension, await filter_.read(context, query))


for _name in ListName:
    for _extension in ("csv", "xlsx"):
        _add_export(_name, _extension)


async def _download(context: PageContext, name: ListName, extension: str, conditions: Conditions) -> Response:
    """The first batch is read before the head is sent: until then the export can be refused."""
    first = await _read(context, name, LISTS[name].first_key, conditions)
    batches = _batches(context, name, conditions, first)
    details = {"list": name.value, "format": extension, "is_filtered": bool(conditions)}
    await context.call(
        record_activity, context.tenant_id, context.actor, "export.downloaded", None, name.value, None, details
    )
    if extension == "csv":
        return download(_csv(context, name, batches), f"{name.value}.csv", CSV_TYPE)
    return download(_xlsx(context, name, batches), f"{name.value}.xlsx", XLSX_TYPE)


# Rows are put into words in a thread: other requests are answered meanwhile.


async def _csv(context: PageContext, name: ListName, batches: AsyncIterator[_Rows]) -> AsyncIterator[bytes]:
    yield csv_lines([_names(context, name)], first=True)
    async for rows in batches:
        yield await asyncio.to_thread(_csv_lines, context, name, rows)


async def _xlsx(context: PageContext, name: ListName, batches: AsyncIterator[_Rows]) -> AsyncIterator[bytes]:
    book = Workbook(context.translate(labels.LISTS[name]), right_to_left=context.direction == "rtl")
    yield book.begin(_names(context, name))
    async for rows in batches:
        yield await asyncio.to_thread(_xlsx_lines, context, name, rows, book)
    yield book.end()


def _csv_lines(context: PageContext, name: ListName, rows: _Rows) -> bytes:
    return csv_lines([_csv_text(context, value) for value in _in_words(context, name, row)] for row in rows)


def _xlsx_lines(context: PageContext, name: ListName, rows: _Rows, book: Workbook) -> bytes:
    return book.add_rows([_xlsx_cell(context, value) for value in _in_words(context, name, row)] for row in rows)


async def _batches(
    context: PageContext, name: ListName, conditions: Conditions, first: tuple[object, _Rows]
) -> AsyncIterator[_Rows]:
    """A turn and a connection are held for each batch only: readers may be slow, and there are three for all."""
    key, rows = first
    while rows:
        yield rows
        key, rows = await _read(context, name, key, conditions, has_begun=True)


async def _read(
    context: PageContext, name: ListName, key: object, conditions: Conditions, *, has_begun: bool = False
) -> tuple[object, _Rows]:
    def read(conn: Connection) -> Awaitable[tuple[object, _Rows]]:
        return read_batch(conn, context.tenant_id, name, key, conditions)

    return await context.request.read_slowly(context.tenant_id, read, has_begun=has_begun)


def _in_words(context: PageContext, name: ListName, row: Sequence[Any]) -> Sequence[Any]:
    """With the words of the page in place of those of the database."""
    values = dict(zip(LISTS[name].columns, row, strict=True))
    for column, value in values.items():
        words = labels.VALUES.get((name, column), {})
        if isinstance(value, str) and value in words:
            values[column] = context.translate(words[value])
    if name is ListName.ACTIVITY:
        values = {**values, **_change_in_words(context, values)}
    return list(values.values())


def _change_in_words(context: PageContext, values: Mapping[str, Any]) -> dict[str, str]:
    before, after = (msgspec.json.decode(values[name] or "null") for name in ("before", "after"))
    change = RecordedChange(action=values["action"], before=before, after=after)
    shown = changed_values(change, context.language, context.format)
    return {
        "action": action_sentence(values["action"], values["subject"], context.language),
        "before": "\n".join(f"{label}: {old}" for label, old, _ in shown if old is not None),
        "after": "\n".join(f"{label}: {new}" for label, _, new in shown if new is not None),
    }


def _names(context: PageContext, name: ListName) -> list[str]:
    return [context.translate(labels.COLUMNS[column]) for column in LISTS[name].columns]


def _csv_text(context: PageContext, value: object) -> str:
    if isinstance(value, datetime):
        return f"{context.format.local(value):%Y-%m-%d %H:%M}"
    if isinstance(value, bool):
        return context.translate(labels.YES if value else labels.NO)
    return "" if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)


def _xlsx_cell(context: PageContext, value: object) -> Cell:
    if isinstance(value, datetime):
        return context.format.local(value)
    if isinstance(value, bool):
        return context.translate(labels.YES if value else labels.NO)
    return value if isinstance(value, int | Decimal) or value is None else str(value)


@pages.get(f"{PATH}/business.zip", OWNERS)
async def export_business(context: PageContext) -> Response:
    """Written to the disk first: it is one snapshot of the database, and the reader may be slow."""
    context.request.take_time()
    resources = context.request.resources
    connect = resources.slow_database.connection
    async with ARCHIVES.turn(context.tenant_id):
        file = await archive_file(connect, context.tenant_id, context.actor, resources.storage)
    return download(_blocks(file), "business.zip", ARCHIVE_TYPE)


async def _blocks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while block := file.read(_FILE_BLOCK):
            yield block
