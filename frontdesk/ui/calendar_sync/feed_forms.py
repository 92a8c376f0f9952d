"""The forms of calendar feeds, on the page of a staff member and on that of a branch."""

from uuid import UUID

import msgspec

from frontdesk.calendar_sync.feed_queries import feed_of
from frontdesk.calendar_sync.feeds import CreateCalendarFeed, DeleteCalendarFeed, ReplaceCalendarFeed, new_feed_secret
from frontdesk.calendar_sync.types import FeedOwner
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.ui.settings.branches import PATH as BRANCHES, show_branch
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, TIME_OFF_REQUESTERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.pages import PATH as STAFF, check_may_see_card, show_card

pages = Pages()


class VersionForm(msgspec.Struct):
    version: int


@pages.post(f"{STAFF}/{{staff_id}}/feed", TIME_OFF_REQUESTERS, on_error=show_card)
async def create_staff_feed(context: PageContext, staff_id: UUID) -> Response:
    check_may_see_card(context, staff_id)
    return await _create(context, FeedOwner(staff_id=staff_id), f"{STAFF}/{staff_id}")


@pages.get(f"{STAFF}/{{staff_id}}/feed/change", TIME_OFF_REQUESTERS)
async def ask_about_staff_feed(context: PageContext, staff_id: UUID) -> Response:
    check_may_see_card(context, staff_id)
    return await _ask(context, FeedOwner(staff_id=staff_id), f"{STAFF}/{staff_id}", (STAFF, N_("Staff")))


@pages.post(f"{STAFF}/{{staff_id}}/feed/replace", TIME_OFF_REQUESTERS, on_error=ask_about_staff_feed)
async def replace_staff_feed(context: PageContext, staff_id: UUID, form: VersionForm) -> Response:
    check_may_see_card(context, staff_id)
    return await _replace(context, FeedOwner(staff_id=staff_id), f"{STAFF}/{staff_id}", form.version)


@pages.post(f"{STAFF}/{{staff_id}}/feed/delete", TIME_OFF_REQUESTERS, on_error=ask_about_staff_feed)
async def delete_staff_feed(context: PageContext, staff_id: UUID, form: VersionForm) -> Response:
    check_may_see_card(context, staff_id)
    return await _delete(context, FeedOwner(staff_id=staff_id), f"{STAFF}/{staff_id}", form.version)


@pages.post(f"{BRANCHES}/{{branch_id}}/feed", MANAGERS, on_error=show_branch)
async def create_branch_feed(context: PageContext, branch_id: UUID) -> Response:
    return await _create(context, FeedOwner(branch_id=branch_id), f"{BRANCHES}/{branch_id}")


@pages.get(f"{BRANCHES}/{{branch_id}}/feed/change", MANAGERS)
async def ask_about_branch_feed(context: PageContext, branch_id: UUID) -> Response:
    owner, path = FeedOwner(branch_id=branch_id), f"{BRANCHES}/{branch_id}"
    return await _ask(context, owner, path, (BRANCHES, N_("Branches")))


@pages.post(f"{BRANCHES}/{{branch_id}}/feed/replace", MANAGERS, on_error=ask_about_branch_feed)
async def replace_branch_feed(context: PageContext, branch_id: UUID, form: VersionForm) -> Response:
    return await _replace(context, FeedOwner(branch_id=branch_id), f"{BRANCHES}/{branch_id}", form.version)


@pages.post(f"{BRANCHES}/{{branch_id}}/feed/delete", MANAGERS, on_error=ask_about_branch_feed)
async def delete_branch_feed(context: PageContext, branch_id: UUID, form: VersionForm) -> Response:
    return await _delete(context, FeedOwner(branch_id=branch_id), f"{BRANCHES}/{branch_id}", form.version)


async def _create(context: PageContext, owner: FeedOwner, path: str) -> Response:
    secret = new_feed_secret(context.tenant_id, context.request.resources.secret_box)
    await context.run(CreateCalendarFeed(owner, context.language, secret))
    return context.redirect(f"{path}#calendars", flash=N_("The calendar has an address now."))


async def _ask(context: PageContext, owner: FeedOwner, path: str, crumb: tuple[str, str]) -> Response:
    stored = await context.fetch(feed_of(owner))
    if stored.feed is None:
        raise not_found("calendar feed")
    return context.render("feed_change.html", owner=stored.owner, feed=stored.feed, path=path, crumb=crumb)


async def _replace(context: PageContext, owner: FeedOwner, path: str, version: int) -> Response:
    secret = new_feed_secret(context.tenant_id, context.request.resources.secret_box)
    await context.run(ReplaceCalendarFeed(owner, context.language, secret, version))
    return context.redirect(
        f"{path}#calendars", flash=N_("The calendar has a new address. The old one is switched off.")
    )


async def _delete(context: PageContext, owner: FeedOwner, path: str, version: int) -> Response:
    await context.run(DeleteCalendarFeed(owner, version))
    return context.redirect(f"{path}#calendars", flash=N_("The address of the calendar is switched off."))
