"""Settings, API Integration: the keys of tills and devices of the business's own."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.auth.clients import create_key, get_key, take_back_key
from frontdesk.http.field_types import CalendarDate, ShortText
from frontdesk.http.responses import Answer
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.settings.api_clients import HERE
from frontdesk.ui.settings.first_call import first_key_call
from frontdesk.ui.settings.request_log import LogQuery, show_log
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id
from frontdesk.values.time import get_zone, local_day_start

pages = Pages()
_KEY = f"{HERE}/keys/{{key_id}}"


class NewKeyForm(msgspec.Struct):
    id: UUID
    name: ShortText
    branch_id: UUID | None = None
    expires_on: CalendarDate | None = None


@pages.get(f"{HERE}/keys/new", OFFICE)
async def show_new_key(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        branches = await list_branch_names(conn, visit.tenant_id)
    return visit.show("key_new.html", id=new_id(), branches=branches)


@pages.post(f"{HERE}/keys/new", OFFICE, again=show_new_key)
async def make_key(visit: Visit, form: NewKeyForm) -> Answer:
    """Good until the end of the last day, on the business's own clock. Shown in this answer alone."""
    async with visit.connection() as conn:
        key = await create_key(conn, visit.tenant_id, form.id, form.name, form.branch_id, _expiry(visit, form))
    if key is None:
        return visit.go(HERE, done=mark("This key was made before. It was shown once."))
    return visit.show("key_secret.html", name=form.name, key=key, curl=first_key_call(visit.call.origin, key))


@pages.get(f"{_KEY}/revoke", OFFICE)
async def ask_revocation(visit: Visit, key_id: UUID) -> Answer:
    async with visit.connection() as conn:
        key = await get_key(conn, visit.tenant_id, key_id)
    return visit.show("key_revoke.html", key=key)


@pages.post(f"{_KEY}/revoke", OFFICE)
async def revoke(visit: Visit, key_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await take_back_key(conn, visit.tenant_id, key_id)
    return visit.go(HERE, done=mark("Key revoked. Its next request is refused."))


@pages.get(f"{_KEY}/requests", OFFICE)
async def show_key_requests(visit: Visit, key_id: UUID, query: LogQuery) -> Answer:
    async with visit.connection() as conn:
        key = await get_key(conn, visit.tenant_id, key_id)
        return await show_log(conn, visit, key_id, query, title=key.name, path=f"{HERE}/keys/{key_id}")


def _expiry(visit: Visit, form: NewKeyForm) -> datetime | None:
    if form.expires_on is None:
        return None
    return local_day_start(form.expires_on.day + timedelta(days=1), get_zone(visit.business.timezone))
