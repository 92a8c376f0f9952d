"""Pictures of a business: the page that serves them to anyone, and the field of a form that uploads one."""

from typing import Literal, NamedTuple, Protocol
from uuid import UUID

import msgspec

from frontdesk.http.responses import Response
from frontdesk.pictures.bucket_queries import check_object_later
from frontdesk.pictures.encode import MAX_BYTES
from frontdesk.pictures.queries import find_picture
from frontdesk.pictures.store import encode_uploaded, put_uploaded, read_content, store_picture
from frontdesk.problems import not_found
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PICTURE_FORM_BODY = MAX_BYTES + 128 * 1024  # of a form with a picture and other fields
_HEADERS = {
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
}


class PictureFields(Protocol):
    """What a form with `ui.picture` has: the uploaded file, empty if none was chosen, and whether to remove the old."""

    picture: bytes
    remove_picture: bool


class PictureFile(NamedTuple):
    media_type: str
    content: bytes


class PictureQuery(msgspec.Struct):
    size: Literal["full", "small"] = "full"


@pages.get("/pictures/{tenant_id}/{picture_id}", PUBLIC)
async def show_picture(context: PageContext, tenant_id: UUID, picture_id: UUID, query: PictureQuery) -> Response:
    """Ids are random, so only those who were shown a picture know its address."""
    found = await load_picture(context, tenant_id, picture_id, small=query.size == "small")
    if found is None:
        raise not_found("picture")
    return Response(found.content, 200, _HEADERS, found.media_type)


async def load_picture(
    context: PageContext, tenant_id: UUID, picture_id: UUID, *, small: bool, is_private: bool = False
) -> PictureFile | None:
    """A private one only after the caller has checked who asks."""
    found = await context.call(find_picture, tenant_id, picture_id, small=small, is_private=is_private)
    if found is None:
        return None
    content = await read_content(context.request.resources.storage, tenant_id, found, small=small)
    return PictureFile(found.media_type, content)


async def uploaded_picture(context: PageContext, form: PictureFields, current_id: UUID | None) -> UUID | None:
    """The picture that the record will show. Call it without holding a connection, before the act."""
    if not form.picture:
        return None if form.remove_picture else current_id
    return await save_picture(context, form.picture)


async def save_picture(context: PageContext, content: bytes, *, is_private: bool = False) -> UUID:
    encoded = await encode_uploaded(context.tenant_id, content)
    resources, stored = context.request.resources, None
    if resources.storage is not None and resources.settings.pictures_in_bucket:
        stored = await put_uploaded(
            resources.storage,
            context.tenant_id,
            encoded,
            lambda tenant_id, object_id: context.call(check_object_later, tenant_id, object_id),
        )
    return await context.call(store_picture, context.tenant_id, encoded, stored, is_private=is_private)
