"""Pictures of applications, uploaded by their developer and served from our own origin."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.edit import get_developer_application
from frontdesk.applications.pictures import MAX_BYTES, MAX_SCREENSHOTS, add_picture, remove_picture
from frontdesk.applications.queries.pictures import find_picture
from frontdesk.http.body import MAX_BODY_BYTES
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.ui.developer.pages import HOME
from frontdesk.ui.shell.context import HEADERS, PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_PATH = f"{HOME}/applications/{{application_id}}/pictures"


class PictureForm(msgspec.Struct):
    id: UUID
    role: Literal["icon", "screenshot"]
    alt_text: Annotated[str, Meta(min_length=1, max_length=200)]
    picture: bytes = b""


@pages.get(_PATH, SIGNED_IN)
async def show_pictures(context: PageContext, application_id: UUID) -> Response:
    application = await context.call(get_developer_application, context.user.id, application_id)
    return context.render(
        "developer_pictures.html",
        application=application,
        ids=[uuid7(), uuid7()],
        max_screenshots=MAX_SCREENSHOTS,
        kilobytes=MAX_BYTES // 1024,
    )


@pages.post(_PATH, SIGNED_IN, on_error=show_pictures, max_body=MAX_BODY_BYTES)
async def submit_picture(context: PageContext, application_id: UUID, form: PictureForm) -> Response:
    new = (form.id, form.role, form.alt_text)
    await context.call(add_picture, context.user.id, application_id, new, form.picture)
    return context.redirect(f"{HOME}/applications/{application_id}/pictures", flash=N_("Picture added."))


@pages.post(f"{_PATH}/{{picture_id}}/remove", SIGNED_IN)
async def remove(context: PageContext, application_id: UUID, picture_id: UUID) -> Response:
    await context.call(remove_picture, context.user.id, application_id, picture_id)
    return context.redirect(f"{HOME}/applications/{application_id}/pictures", flash=N_("Picture removed."))


@pages.get("/applications/pictures/{picture_id}", SIGNED_IN)
async def show_picture(context: PageContext, picture_id: UUID) -> Response:
    user = context.user
    found = await context.call(
        find_picture, context.optional_tenant_id, user.id, picture_id, is_operator=user.is_operator
    )
    if found is None:
        raise not_found("picture")
    headers = {**HEADERS, "cache-control": "private, max-age=86400"}
    return Response(found.content, 200, headers, found.media_type)
