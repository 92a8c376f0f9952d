"""What the user chooses to see: which providers, how wide, in which colors, with or without the side."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.calendar_queries import Colors
from frontdesk.http.responses import Response
from frontdesk.scheduling.calendar_view import SaveCalendarView
from frontdesk.ui.calendar.address import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import DIARY_READERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_Back = Annotated[str, Meta(max_length=2000)]


class ViewForm(msgspec.Struct):
    branch: UUID | None = None
    shown: Annotated[list[UUID], Meta(max_length=400)] = []
    everyone: Literal["yes"] | None = None  # the button that ticks all of them
    only_working: Literal["yes"] | None = None
    colors: Colors | None = None
    columns: Literal["fit", "wide"] | None = None
    back: _Back = PATH


class SideForm(msgspec.Struct):
    side: Literal["folded", "shown"]
    back: _Back = PATH


@pages.post(f"{PATH}/view", DIARY_READERS)
async def save_view(context: PageContext, form: ViewForm) -> Response:
    is_wide = None if form.columns is None else form.columns == "wide"
    await context.run(
        SaveCalendarView(
            context.user.id,
            form.branch,
            None if form.everyone else form.shown,
            only_working=form.only_working is not None and form.everyone is None,
            colors=form.colors,
            is_wide=is_wide,
        )
    )
    return context.redirect(local_path(form.back))


@pages.post(f"{PATH}/side", DIARY_READERS)
async def fold_side(context: PageContext, form: SideForm) -> Response:
    await context.run(SaveCalendarView(context.user.id, is_side_folded=form.side == "folded"))
    return context.redirect(local_path(form.back))
