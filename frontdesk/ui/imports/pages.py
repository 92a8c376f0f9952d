"""Imports: choose a table, check what it would do, import it, undo it."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.exports.csv_lines import CSV_TYPE, csv_lines
from frontdesk.http.field_types import PageNumber
from frontdesk.http.responses import Response, download
from frontdesk.i18n.texts import N_
from frontdesk.imports.decide import change_columns, missing_fields, start_run, start_undo, stop_run
from frontdesk.imports.fields import LEFT_OUT, template_columns
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.problems import FileProblem
from frontdesk.imports.queries import find_country, get_import, list_imports
from frontdesk.imports.reading import read_in_process
from frontdesk.imports.row_queries import list_kept, list_outcomes, list_rows, list_wrong
from frontdesk.imports.table import MAX_FILE_BYTES
from frontdesk.imports.types import Import, ImportKind, ImportStatus, Outcome, UploadedTable
from frontdesk.imports.upload import store_upload
from frontdesk.problems import Problem
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.imports import labels
from frontdesk.ui.imports.differences import differences
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.countries import country_names
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/import"
PER_PAGE = 25
_MAX_KEPT = 100
_BATCH = 1000
_IN_PROGRESS = (ImportStatus.CHECKING, ImportStatus.RUNNING, ImportStatus.UNDOING)
_RELOAD_SECONDS = "1"
CountryCode = Annotated[str, Meta(pattern="^[A-Z]{2}$")]


class ImportQuery(msgspec.Struct):
    kind: ImportKind = ImportKind.CUSTOMERS


class PreviewQuery(msgspec.Struct):
    outcome: Outcome | None = None
    left_out: bool = False  # only rows that are taken without a value
    page: PageNumber = 1


class UploadForm(msgspec.Struct):
    kind: ImportKind
    country: CountryCode
    branch: UUID
    leave_out_wrong: Literal["yes", "no"] = "no"


class ColumnsForm(msgspec.Struct):
    version: int
    column: list[str]
    country: CountryCode
    leave_out_wrong: Literal["yes", "no"] = "no"


class RunForm(msgspec.Struct):
    version: int


@pages.get(PATH, MANAGERS)
async def show_imports(context: PageContext, query: ImportQuery | None = None) -> Response:
    async with context.connection() as conn:
        imports = await list_imports(conn, context.tenant_id, PER_PAGE)
        branches = await list_branch_names(conn, context.tenant_id)
        country = await find_country(conn, context.tenant_id)
    return context.render(
        "import.html",
        imports=imports,
        branches=branches,
        kind=query.kind if query else ImportKind.CUSTOMERS,
        country=country or "SA",
        countries=country_names(context.language),
        megabytes=MAX_FILE_BYTES // 1024 // 1024,
        labels=labels,
        wrong_values=_wrong_values(context),
    )


@pages.post(PATH, MANAGERS, on_error=show_imports, max_upload=MAX_FILE_BYTES)
async def submit_table(context: PageContext, form: UploadForm) -> Response:
    upload = context.request.upload
    if upload is None or not upload.file_name:
        raise page_problem(N_("Choose a file."), "file")
    if not upload.size:
        raise page_problem(N_("This file is empty. Choose another one."), "file")
    if upload.is_too_large:
        raise Problem(FileProblem.TOO_LARGE, "file", megabytes=MAX_FILE_BYTES // 1024 // 1024)
    async with context.connection() as conn:
        if form.branch not in [id_ for id_, _ in await list_branch_names(conn, context.tenant_id)]:
            raise page_problem(N_("Choose a branch."), "branch")
    table = UploadedTable(
        *(
            form.kind,
            form.branch,
            form.country,
            upload.file_name,
            form.leave_out_wrong == "yes",
            context.actor,
            context.user.id,
        )
    )
    async with read_in_process(context.tenant_id, upload.file) as rows, context.slow_connection() as conn:
        import_id = await store_upload(conn, context.tenant_id, table, rows)
    context.request.resources.import_submitted.set()
    return context.redirect(f"{PATH}/{import_id}")


@pages.get(f"{PATH}/{{import_id}}", MANAGERS)
async def show_import(context: PageContext, import_id: UUID, query: PreviewQuery | None = None) -> Response:
    query = query or PreviewQuery()
    async with context.connection() as conn:
        import_ = await get_import(conn, context.tenant_id, import_id)
        offset = (query.page - 1) * PER_PAGE
        is_in_progress = import_.status in _IN_PROGRESS
        rows = (
            []
            if is_in_progress
            else await list_outcomes(*(conn, import_, query.outcome, offset, PER_PAGE), left_out=query.left_out)
        )
        sample = await list_rows(conn, import_, 0, PER_PAGE)
        kept = await list_kept(conn, import_, _MAX_KEPT) if import_.kept_rows else []
    response = context.render(
        "import_run.html",
        import_=import_,
        rows=rows,
        kept=kept,
        examples=[_example([row.cells for row in sample], index) for index in range(len(import_.columns))],
        fields=[(LEFT_OUT, N_("Leave out")), *((f.name, labels.FIELDS[f.name]) for f in KINDS[import_.kind].fields)],
        missing=[[labels.FIELDS[field] for field in group] for group in missing_fields(import_)],
        differences=differences,
        query=query,
        total=import_.left_out_rows if query.left_out else import_.count(query.outcome),
        per_page=PER_PAGE,
        countries=country_names(context.language),
        labels=labels,
        wrong_values=_wrong_values(context),
        is_open=import_.status in (ImportStatus.CHECKED, ImportStatus.FAILED),
    )
    if is_in_progress:
        response.headers["refresh"] = _RELOAD_SECONDS
    return response


def _wrong_values(context: PageContext) -> list[tuple[str, str]]:
    return [(value, context.translate(text)) for value, text in labels.WRONG_VALUES.items()]


def _example(rows: list[list[str]], index: int) -> str:
    return next((cells[index] for cells in rows if index < len(cells) and cells[index]), "")


@pages.get(f"{PATH}/template", MANAGERS)
async def download_template(context: PageContext, query: ImportQuery) -> Response:
    """A table without rows: the names of all columns that an import recognizes."""
    columns = template_columns(KINDS[query.kind].fields, context.language)
    return download(_one(csv_lines([columns], first=True)), f"{query.kind.value}.csv", CSV_TYPE)


async def _one(lines: bytes) -> AsyncIterator[bytes]:
    yield lines


@pages.post(f"{PATH}/{{import_id}}/columns", MANAGERS, on_error=show_import, fields={"columns.#": "column-#"})
async def submit_columns(context: PageContext, import_id: UUID, form: ColumnsForm) -> Response:
    await context.call(
        change_columns,
        *(context.tenant_id, import_id, form.version, form.column, form.country, context.actor),
        leave_out_wrong=form.leave_out_wrong == "yes",
    )
    context.request.resources.import_submitted.set()
    return context.redirect(f"{PATH}/{import_id}")


@pages.post(f"{PATH}/{{import_id}}/run", MANAGERS, on_error=show_import)
async def run(context: PageContext, import_id: UUID, form: RunForm) -> Response:
    await context.call(start_run, context.tenant_id, import_id, form.version, context.actor)
    context.request.resources.import_submitted.set()
    return context.redirect(f"{PATH}/{import_id}")


@pages.post(f"{PATH}/{{import_id}}/stop", MANAGERS, on_error=show_import)
async def stop(context: PageContext, import_id: UUID) -> Response:
    await context.call(stop_run, context.tenant_id, import_id, context.actor)
    return context.redirect(f"{PATH}/{import_id}", flash=N_("Stopped. Nothing was saved."))


@pages.post(f"{PATH}/{{import_id}}/undo", MANAGERS, on_error=show_import)
async def undo(context: PageContext, import_id: UUID) -> Response:
    await context.call(start_undo, context.tenant_id, import_id, context.actor)
    context.request.resources.import_submitted.set()
    return context.redirect(f"{PATH}/{import_id}")


@pages.get(f"{PATH}/{{import_id}}/refused", MANAGERS)
async def download_refused(context: PageContext, import_id: UUID) -> Response:
    """The refused rows as uploaded, with the reason in the last column, to be corrected and imported again."""
    import_ = await context.call(get_import, context.tenant_id, import_id)
    return download(_wrong_lines(context, import_, taken=False), "refused.csv", CSV_TYPE)


@pages.get(f"{PATH}/{{import_id}}/left-out", MANAGERS)
async def download_left_out(context: PageContext, import_id: UUID) -> Response:
    """The rows that are taken without a value, with what is wrong with each value in the last column."""
    import_ = await context.call(get_import, context.tenant_id, import_id)
    return download(_wrong_lines(context, import_, taken=True), "left-out.csv", CSV_TYPE)


async def _wrong_lines(context: PageContext, import_: Import, *, taken: bool) -> AsyncIterator[bytes]:
    def problem_texts(problems: list[Problem]) -> list[str]:
        return [context.problem_text(problem) or "" for problem in problems]

    width = len(import_.columns)
    yield csv_lines([[*import_.columns, context.translate(N_("Reason"))]], first=True)
    last = 0
    while True:
        found = await context.call(list_wrong, import_, last, _BATCH, taken=taken)
        if not found:
            return
        last = found[-1][0].number
        yield csv_lines(
            [[*row.cells, *[""] * (width - len(row.cells)), " ".join(problem_texts(reasons))] for row, reasons in found]
        )
