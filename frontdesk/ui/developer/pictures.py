"""Pictures of applications: sent by their developer, shown from our own origin."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.edit import get_own_application
from frontdesk.applications.pictures import MOST_BYTES, MOST_VIEWS, add_picture, remove_picture
from frontdesk.applications.queries.pictures import find_picture
from frontdesk.errors import not_found
from frontdesk.http.body import MOST_BODY
from frontdesk.http.responses import Answer
from frontdesk.ui.developer.pages import HOME
from frontdesk.ui.shell.context import HEADERS, Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id

pages = Pages()
_HERE = f"{HOME}/applications/{{application_id}}/pictures"


class PictureForm(msgspec.Struct):
    id: UUID
    role: Literal["mark", "view"]
    alternative: Annotated[str, Meta(min_length=1, max_length=200)]
    picture: bytes = b""


@pages.get(_HERE, SIGNED_IN)
async def show_pictures(visit: Visit, application_id: UUID) -> Answer:
    async with visit.connection() as conn:
        application = await get_own_application(conn, visit.person.id, application_id)
    return visit.show(
        "developer_pictures.html",
        application=application,
        ids=[new_id(), new_id()],
        most=MOST_VIEWS,
        kilobytes=MOST_BYTES // 1024,
    )


@pages.post(_HERE, SIGNED_IN, again=show_pictures, most_body=MOST_BODY)
async def take_picture(visit: Visit, application_id: UUID, form: PictureForm) -> Answer:
    new = (form.id, form.role, form.alternative)
    async with visit.connection() as conn:
        await add_picture(conn, visit.person.id, application_id, new, form.picture)
    return visit.go(f"{HOME}/applications/{application_id}/pictures", done=mark("Picture added."))


@pages.post(f"{_HERE}/{{picture_id}}/remove", SIGNED_IN)
async def remove(visit: Visit, application_id: UUID, picture_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await remove_picture(conn, visit.person.id, application_id, picture_id)
    return visit.go(f"{HOME}/applications/{application_id}/pictures", done=mark("Picture removed."))


@pages.get("/applications/pictures/{picture_id}", SIGNED_IN)
async def show_picture(visit: Visit, picture_id: UUID) -> Answer:
    person = visit.person
    async with visit.connection() as conn:
        found = await find_picture(conn, visit.form_tenant, person.id, picture_id, is_operator=person.is_operator)
    if found is None:
        raise not_found("picture")
    headers = {**HEADERS, "cache-control": "private, max-age=86400"}
    return Answer(found.content, 200, headers, found.media_type)
