"""Decides what each row of an import would do: create, change, nothing, or be refused with a reason."""

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from frontdesk.imports.cell_values import Refused, optional_value, shorten
from frontdesk.imports.fields import LEFT_OUT
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.kinds.items import slug_of
from frontdesk.imports.kinds.kind import CatalogCodes, Cells, Vocabulary, by_key
from frontdesk.imports.kinds.queries import (
    list_item_slugs,
    read_catalog_codes,
    read_providers,
    read_services,
    read_vocabulary,
)
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.queries import finish_check, renew_lease
from frontdesk.imports.row_queries import count_outcomes, delete_outcomes, insert_outcomes, list_rows
from frontdesk.imports.table import Row
from frontdesk.imports.types import CheckedRow, Existing, Import, ImportKind, Key, Outcome, ParsedRow, Values
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from frontdesk.values.text import fold, search_key

BATCH = 500  # rows; parsing them takes some tens of milliseconds, in a thread


async def check_import(database: Pool, import_: Import, lease: UUID) -> None:
    """Writes the outcomes of all rows. An interrupted check is begun again."""
    async with database.connection() as conn:
        await delete_outcomes(conn, import_)
        checker = await start_checker(conn, import_)
    last, done = 0, 0
    while True:
        async with database.connection() as conn:
            rows = await list_rows(conn, import_, last, BATCH)
        if not rows:
            break
        parsed = await asyncio.to_thread(parse_rows, import_, rows)
        async with database.connection() as conn:
            existing = await KINDS[import_.kind].find(conn, import_.tenant_id, parsed)
            await insert_outcomes(conn, import_, checker.check(parsed, existing))
            last, done = rows[-1].number, done + len(rows)
            await renew_lease(conn, import_, lease, done)
    async with database.connection() as conn:
        counts = await count_outcomes(conn, import_)
        await finish_check(conn, import_, lease, counts, checker.created)


def parse_rows(import_: Import, rows: Sequence[Row]) -> list[ParsedRow]:
    return [_parse(import_, row) for row in rows]


def _parse(import_: Import, row: Row) -> ParsedRow:
    if len(row.cells) > len(import_.columns):
        return ParsedRow(row.number, row.cells[0], None, None, Refused(RowProblem.TOO_MANY_CELLS))
    pairs = zip(import_.fields, row.cells, strict=False)
    cells: Cells = {field: cell for field, cell in pairs if field != LEFT_OUT and cell}
    left_out: list[Problem] = []
    while True:
        parsed = KINDS[import_.kind].parse(row.number, cells, import_.settings)
        fields = _removable(import_, parsed.reason)
        if parsed.reason is None or not fields:
            return parsed._replace(left_out=tuple(left_out))
        left_out.append(parsed.reason)
        cells = {name: cell for name, cell in cells.items() if name not in fields}


def _removable(import_: Import, reason: Problem | None) -> tuple[str, ...]:
    """The fields whose values are left out, so that the row can be taken."""
    return reason.fields if isinstance(reason, Refused) and import_.settings.leave_out_wrong else ()


async def start_checker(conn: Connection, import_: Import) -> "Checker":
    words = await read_vocabulary(conn, import_.tenant_id, KINDS[import_.kind].words)
    if import_.kind is ImportKind.STAFF:
        return Checker(import_, words, set(), await read_services(conn, import_.tenant_id))
    if import_.kind is ImportKind.CUSTOMERS:
        return Checker(import_, words, set(), await read_providers(conn, import_.tenant_id))
    if import_.kind is not ImportKind.ITEMS:
        return Checker(import_, words, set(), CatalogCodes())
    slugs = await list_item_slugs(conn, import_.tenant_id)
    return Checker(import_, words, slugs, await read_catalog_codes(conn, import_.tenant_id))


class Checker:
    """Remembers the keys of the rows so far, so that a second row with the same key is refused."""

    def __init__(self, import_: Import, words: Vocabulary, slugs: set[str], codes: CatalogCodes) -> None:
        self._import = import_
        self._kind = KINDS[import_.kind]
        self._words = words
        self._slugs = slugs
        self._codes = codes
        self._rows: dict[Key | UUID, int] = {}

    @property
    def created(self) -> dict[str, list[dict[str, str]]]:
        return {self._kind.words: self._words.created} if self._kind.words else {}

    def check(self, rows: Iterable[ParsedRow], existing: Sequence[Existing]) -> list[CheckedRow]:
        found = by_key(existing)
        checked = []
        for row in rows:
            try:
                checked.append(self._check(row, found))
            except Refused as refused:
                outcome = CheckedRow(row.number, Outcome.REFUSED, row.name, row.detail, refused)
                checked.append(outcome._replace(left_out=row.left_out))
        return checked

    def _check(self, row: ParsedRow, found: dict[Key, list[Existing]]) -> CheckedRow:
        if row.record is None:
            raise row.reason or AssertionError(row)
        matches = {match.id: match for key in row.keys for match in found.get(key, [])}
        if len(matches) > 1:
            raise Refused(self._kind.several)
        match = next(iter(matches.values()), None)
        if match is None and self._kind.unknown is not None:
            raise Refused(self._kind.unknown)
        self._refuse_repeated(row, match)
        subject_id = match.id if match else uuid7()
        record, left_out = self._look_up(row, row.record, match, subject_id)
        after = self._kind.merge(match.values if match else None, record)
        if "barcode" in record:
            self._codes.barcodes[record["barcode"]] = subject_id
        if match is None:
            return self._new(row, subject_id, after)._replace(left_out=left_out)
        if match.is_booked and match.values["active"] and not after["active"]:
            raise Refused(RowProblem.BOOKED)
        if match.is_booked and after.get("hours") != match.values.get("hours"):
            raise Refused(RowProblem.BOOKED_HOURS)
        outcome = Outcome.SAME if after == match.values else Outcome.CHANGED
        return CheckedRow(
            *(row.number, outcome, row.name, row.detail, None, match.id, match.updated_at, match.values, after),
            left_out=left_out,
        )

    def _look_up(
        self, row: ParsedRow, record: Values, match: Existing | None, subject_id: UUID
    ) -> tuple[Values, tuple[Problem, ...]]:
        """The record with what it names, and why values are left out."""
        left_out = list(row.left_out)
        while True:
            try:
                found = self._with_services(self._with_words(self._with_provider(record)), match)
                self._check_barcode(found, subject_id)
            except Refused as refused:
                fields = _removable(self._import, refused)
                if not fields:
                    raise
                left_out.append(refused)
                record = {name: value for name, value in record.items() if name not in fields}
            else:
                return found, tuple(left_out)

    def _check_barcode(self, record: Values, subject_id: UUID) -> None:
        barcode = record.get("barcode")
        if barcode is not None and self._codes.barcodes.get(barcode, subject_id) != subject_id:
            with optional_value("barcode"):
                raise Refused(RowProblem.BARCODE_TAKEN, text=shorten(barcode))

    def _new(self, row: ParsedRow, subject_id: UUID, after: Values) -> CheckedRow:
        if self._import.kind is ImportKind.ITEMS:
            after = {**after, "slug": self._unused_slug(next(iter(after["name"].values())))}
        if self._import.kind in (ImportKind.ITEMS, ImportKind.STAFF):
            after = {**after, "branch_id": str(self._import.settings.branch_id)}
        return CheckedRow(row.number, Outcome.NEW, row.name, row.detail, None, subject_id, None, None, after)

    def _refuse_repeated(self, row: ParsedRow, match: Existing | None) -> None:
        """Two rows may reach one record by different keys, such as its phone and its e-mail address."""
        marks: list[Key | UUID] = [*row.keys, *([match.id] if match else [])]
        for mark in marks:
            if mark in self._rows:
                kind = mark.kind if isinstance(mark, Key) else row.keys[0].kind
                raise Refused(self._kind.same_key[kind], row=self._rows[mark])
        self._rows.update(dict.fromkeys(marks, row.number))

    def _with_words(self, record: Values) -> Values:
        if "tags" in record:
            return {**record, "tags": dict(self._word(tag) for tag in record["tags"])}
        if "tax_class" in record:
            found = self._codes.tax_classes.get(search_key(record["tax_class"]))
            if found is None:
                with optional_value("tax_class"):
                    raise Refused(RowProblem.NO_SUCH_TAX_CLASS, text=shorten(record["tax_class"]))
            record = {**record, "tax_class_id": found[0], "tax_class": found[1]}
        if "category" in record:
            category_id, name = self._word(record["category"])
            return {**record, "category_id": category_id, "category": name}
        return record

    def _with_provider(self, record: Values) -> Values:
        if "favorite_provider" not in record:
            return record
        name = record["favorite_provider"]
        found = self._codes.providers.get(fold(name), [])
        with optional_value("favorite_provider"):
            if len(found) > 1:
                raise Refused(RowProblem.SEVERAL_PROVIDERS, text=shorten(name))
            if not found:
                raise Refused(RowProblem.NO_SUCH_PROVIDER, text=shorten(name))
        return {**record, "favorite_staff_id": found[0][0], "favorite_provider": found[0][1]}

    def _with_services(self, record: Values, match: Existing | None) -> Values:
        """A provider performs services of their own branch."""
        if "services" not in record:
            return record
        branch_id = match.values["branch_id"] if match else str(self._import.settings.branch_id)
        found = {}
        for name in record["services"]:
            service = self._codes.services.get((branch_id, search_key(name)))
            if service is None:
                with optional_value("services"):
                    raise Refused(RowProblem.NO_SUCH_SERVICE, text=shorten(name))
            found[service[0]] = service[1]
        return {**record, "services": found}

    def _word(self, name: str) -> tuple[str, str]:
        folded = search_key(name)
        if folded not in self._words.known:
            new = uuid7()
            self._words.known[folded] = (new, name)
            slug = self._unused_slug(name) if self._kind.words == "categories" else ""
            self._words.created.append({"id": str(new), "name": name, "folded": folded, "slug": slug})
        found, known_name = self._words.known[folded]
        return str(found), known_name

    def _unused_slug(self, name: str) -> str:
        slug = slug_of(name)
        number = 2
        while slug in self._slugs:
            slug, number = f"{slug_of(name)}-{number}", number + 1
        self._slugs.add(slug)
        return slug
