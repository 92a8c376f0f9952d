"""The reasons from which people choose when they cancel a booking."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, SharedProblem
from frontdesk.tenants.cancel_reason_queries import cancel_reasons, key_of
from frontdesk.tenants.cancel_reasons import SaveCancelReasons
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/settings/cancel-reasons"
MAX_REASONS = 20
_EMPTY_ROWS = 3
_Names = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=MAX_REASONS + _EMPTY_ROWS)]


class ReasonsForm(msgspec.Struct):
    en: _Names = []
    ar: _Names = []
    act: Literal["save", "default"] = "save"
    seen: str | None = None  # what the page showed


@pages.get(PATH, MANAGERS)
async def show_reasons(context: PageContext) -> Response:
    saved, typed = await context.fetch(cancel_reasons()), context.form.values
    if typed:
        rows = list(zip(typed.get("en", []), typed.get("ar", []), strict=False))
    else:
        rows = [(names.get("en", ""), names.get("ar", "")) for names in saved]
        rows += [("", "")] * min(_EMPTY_ROWS, MAX_REASONS - len(rows))
    return context.render("cancel_reasons.html", rows=rows, seen=_seen(saved))


@pages.post(PATH, MANAGERS, on_error=show_reasons)
async def save_reasons(context: PageContext, form: ReasonsForm) -> Response:
    """A row whose names are empty is removed."""
    if form.seen is not None and form.seen != _seen(await context.fetch(cancel_reasons())):
        raise Problem(SharedProblem.OUTDATED, subject_id=context.tenant_id, tenant_id=context.tenant_id, version=None)
    rows = [{"en": en.strip(), "ar": ar.strip()} for en, ar in zip(form.en, form.ar, strict=False)]
    reasons = [{language: name for language, name in names.items() if name} for names in rows if any(names.values())]
    if form.act == "save" and not reasons:
        raise page_problem(N_("Keep at least one reason."))
    if len({key_of(names) for names in reasons}) < len(reasons):
        raise page_problem(N_("A reason is in the list twice."))
    await context.run(SaveCancelReasons(None if form.act == "default" else reasons[:MAX_REASONS]))
    return context.redirect(PATH, flash=N_("Saved."))


def _seen(saved: Sequence[Mapping[str, str]]) -> str:
    return msgspec.json.encode(saved).decode()
