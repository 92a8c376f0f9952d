"""Branches: where the business is, and whether it takes bookings there."""

import re
from decimal import Decimal, InvalidOperation
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.upcoming_queries import booked_times_of, upcoming_by_id
from frontdesk.calendar_sync.feed_queries import feed_of
from frontdesk.calendar_sync.types import FeedOwner
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.branch_queries import get_branch_in_use, list_branches_in_use
from frontdesk.tenants.branch_types import BranchFields
from frontdesk.tenants.branches import SaveBranch, SetBranchActive, slug_of
from frontdesk.ui.components.calendar_feed import shown_feed
from frontdesk.ui.components.contact import read_phone
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.text import by_language

pages = Pages()
PATH = "/settings/branches"
_Text = Annotated[str, Meta(max_length=200)]
_MapLink = Annotated[str, Meta(max_length=2000)]
_ENTER_NAME = N_("Enter a name.")
_PLACE = N_("Enter degrees such as {n}.{n}.")
_LINK = N_("Enter a link that begins with https://.")
_BOTH = N_("Enter both latitude and longitude, or neither.")
_SHOWN = 100
# Where the links of common maps have the place: @24.7,46.6 or ?q=24.7,46.6.
_IN_LINK = re.compile(r"(?:@|[?&](?:q|query|ll)=)(-?\d{1,2}\.\d+),(-?\d{1,3}\.\d+)")


class BranchForm(msgspec.Struct):
    id: UUID | None = None
    version: int | None = None
    name: _Text = ""
    name_en: _Text = ""
    name_ar: _Text = ""
    slug: _Text | None = None
    phone: _Text | None = None
    address: Annotated[str, Meta(max_length=500)] | None = None
    location: _MapLink | None = None
    latitude: Annotated[str, Meta(max_length=20)] | None = None
    longitude: Annotated[str, Meta(max_length=20)] | None = None


@pages.get(PATH, MANAGERS)
async def show_branches(context: PageContext) -> Response:
    branches = await context.fetch(list_branches_in_use())
    return context.render("branches.html", branches=branches)


@pages.get(f"{PATH}/new", MANAGERS)
async def show_new_branch(context: PageContext) -> Response:
    return context.render("branch_form.html", found=None, form_id=uuid7())


@pages.post(f"{PATH}/new", MANAGERS, on_error=show_new_branch)
async def create_branch(context: PageContext, form: BranchForm) -> Response:
    branch_id = form.id or uuid7()
    act = SaveBranch(branch_id, _fields(context, form))
    path = await submit(context, act, once=branch_id, then=f"/settings/hours/{branch_id}")
    return context.redirect(path, flash=N_("Branch added. Enter its opening hours."))


@pages.get(f"{PATH}/{{branch_id}}", MANAGERS)
async def show_branch(context: PageContext, branch_id: UUID) -> Response:
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, get_branch_in_use(branch_id))
        feed = (await fetch(conn, context.tenant_id, feed_of(FeedOwner(branch_id=branch_id)))).feed
    return context.render("branch_form.html", found=found, form_id=None, feed=shown_feed(context, feed))


@pages.post(f"{PATH}/{{branch_id}}", MANAGERS, on_error=show_branch)
async def change_branch(context: PageContext, branch_id: UUID, form: BranchForm) -> Response:
    await context.run(SaveBranch(branch_id, _fields(context, form), form.version or 0))
    return context.redirect(PATH, flash=N_("Saved."))


@pages.get(f"{PATH}/{{branch_id}}/deactivate", MANAGERS)
async def ask_deactivate(context: PageContext, branch_id: UUID) -> Response:
    """Asks, and lists what it affects."""
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, get_branch_in_use(branch_id))
        booked = await fetch(conn, context.tenant_id, booked_times_of(branch_id=branch_id))
        shown = upcoming_by_id([time.id for time in booked.times[:_SHOWN]])
        bookings = await fetch(conn, context.tenant_id, shown)
    return context.render("branch_deactivate.html", found=found, bookings=bookings)


@pages.post(f"{PATH}/{{branch_id}}/deactivate", MANAGERS, on_error=ask_deactivate)
async def deactivate(context: PageContext, branch_id: UUID) -> Response:
    await context.run(SetBranchActive(branch_id, active=False))
    return context.redirect(PATH, flash=N_("Branch deactivated."))


@pages.post(f"{PATH}/{{branch_id}}/activate", MANAGERS)
async def activate(context: PageContext, branch_id: UUID) -> Response:
    await context.run(SetBranchActive(branch_id, active=True))
    return context.redirect(PATH, flash=N_("Branch activated."))


def _fields(context: PageContext, form: BranchForm) -> BranchFields:
    problems: list[Problem] = []
    if not form.name:
        problems.append(page_problem(_ENTER_NAME, "name"))
    phone, country = read_phone(form.phone, context.tenant, problems)
    if form.location and not form.location.startswith(("https://", "http://")):
        problems.append(page_problem(_LINK, "location"))
    found = None if form.latitude or form.longitude else _IN_LINK.search(form.location or "")
    latitude = _degrees(found[1] if found else form.latitude, 90, "latitude", problems)
    longitude = _degrees(found[2] if found else form.longitude, 180, "longitude", problems)
    if (latitude is None) is not (longitude is None) and not problems:
        problems.append(page_problem(_BOTH, "latitude"))
    raise_all(problems)
    return BranchFields(
        form.name,
        by_language(form.name_en, form.name_ar),
        slug_of(form.slug or form.name),
        phone,
        country,
        form.address,
        latitude,
        longitude,
        form.location,
    )


def _degrees(text: str | None, limit: int, name: str, problems: list[Problem]) -> Decimal | None:
    if not text:
        return None
    try:
        degrees = Decimal(text.replace(",", ".").replace("٫", "."))
    except InvalidOperation:
        degrees = Decimal("NaN")
    if not degrees.is_finite() or abs(degrees) > limit:
        problems.append(page_problem(N_("Enter degrees such as 24.7136."), name))
        return None
    return round(degrees, 6)
