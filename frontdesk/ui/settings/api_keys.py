"""Settings, API Integration: API keys of tills and other devices."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.auth.clients import create_key, get_key, revoke_api_key
from frontdesk.http.field_types import CalendarDate, ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.components.curl_examples import key_curl_example
from frontdesk.ui.settings.api_clients import PATH
from frontdesk.ui.settings.request_log import LogQuery, show_log
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.time import get_zone, local_day_start

pages = Pages()
_KEY = f"{PATH}/keys/{{key_id}}"


class NewKeyForm(msgspec.Struct):
    id: UUID
    name: ShortText
    branch_id: UUID | None = None
    expires_on: CalendarDate | None = None


@pages.get(f"{PATH}/keys/new", MANAGERS)
async def show_new_key(context: PageContext) -> Response:
    branches = await context.call(list_branch_names, context.tenant_id)
    return context.render("key_new.html", id=uuid7(), branches=branches)


@pages.post(f"{PATH}/keys/new", MANAGERS, on_error=show_new_key)
async def submit_key(context: PageContext, form: NewKeyForm) -> Response:
    """The key expires at the end of the chosen day in the tenant's time zone. It is shown in this response only."""
    key = await context.call(
        create_key, context.tenant_id, form.id, form.name, form.branch_id, _expiry(context, form), actor=context.actor
    )
    if key is None:
        return context.redirect(PATH, flash=N_("This key already exists. It was shown once and cannot be shown again."))
    return context.render(
        "key_secret.html", name=form.name, key=key, curl=key_curl_example(context.request.origin, key)
    )


@pages.get(f"{_KEY}/revoke", MANAGERS)
async def confirm_revocation(context: PageContext, key_id: UUID) -> Response:
    key = await context.call(get_key, context.tenant_id, key_id)
    return context.render("key_revoke.html", key=key)


@pages.post(f"{_KEY}/revoke", MANAGERS)
async def revoke(context: PageContext, key_id: UUID) -> Response:
    await context.call(revoke_api_key, context.tenant_id, key_id, actor=context.actor)
    return context.redirect(PATH, flash=N_("Key revoked. Its requests are rejected."))


@pages.get(f"{_KEY}/requests", MANAGERS)
async def show_key_requests(context: PageContext, key_id: UUID, query: LogQuery) -> Response:
    async with context.connection() as conn:
        key = await get_key(conn, context.tenant_id, key_id)
        return await show_log(conn, context, key_id, query, title=key.name, path=f"{PATH}/keys/{key_id}")


def _expiry(context: PageContext, form: NewKeyForm) -> datetime | None:
    if form.expires_on is None:
        return None
    return local_day_start(form.expires_on.day + timedelta(days=1), get_zone(context.tenant.timezone))
