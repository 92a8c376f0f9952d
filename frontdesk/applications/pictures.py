"""Pictures of an application: one icon (role `icon`) and a few screenshots (role `screenshot`)."""

import struct
from typing import NamedTuple
from uuid import UUID

from frontdesk.applications.edit import get_developer_application, require_changeable
from frontdesk.applications.problems import ApplicationPictureProblem
from frontdesk.applications.queries.applications import lock_application
from frontdesk.applications.queries.pictures import PictureContent, delete_icons, insert_picture, mark_picture_removed
from frontdesk.applications.queries.versions import delete_unused_pictures
from frontdesk.applications.types import Picture
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found

MAX_BYTES = 512 * 1024
MAX_SCREENSHOTS = 4
MAX_SIDE = 4096
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
# The JPEG markers that contain the size; the excluded ones have another meaning.
_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class ImageInfo(NamedTuple):
    media_type: str
    width: int
    height: int


async def add_picture(
    conn: Connection, developer_id: UUID, application_id: UUID, new: tuple[UUID, str, str], content: bytes
) -> None:
    """`new` is the id, the role and the alternative text. A new icon replaces the old one."""
    picture_id, role, alt_text = new
    image = _validate(content, role)
    picture = Picture(picture_id, role, image.width, image.height, alt_text)
    async with conn.transaction():
        await _lock(conn, developer_id, application_id)
        if role == "icon":
            await delete_icons(conn, application_id)
        max_count = 1 if role == "icon" else MAX_SCREENSHOTS
        file = PictureContent(image.media_type, content)
        if not await insert_picture(conn, application_id, picture, file, max_count):
            raise Problem(ApplicationPictureProblem.TOO_MANY, "picture", most=MAX_SCREENSHOTS)
        await delete_unused_pictures(conn, application_id)


async def remove_picture(conn: Connection, developer_id: UUID, application_id: UUID, picture_id: UUID) -> None:
    async with conn.transaction():
        await _lock(conn, developer_id, application_id)
        if not await mark_picture_removed(conn, application_id, picture_id):
            raise not_found("picture")
        await delete_unused_pictures(conn, application_id)


async def _lock(conn: Connection, developer_id: UUID, application_id: UUID) -> None:
    await lock_application(conn, application_id)
    require_changeable(await get_developer_application(conn, developer_id, application_id))


def _validate(content: bytes, role: str) -> ImageInfo:
    if not content:
        raise Problem(ApplicationPictureProblem.REQUIRED, "picture")
    if len(content) > MAX_BYTES:
        raise Problem(ApplicationPictureProblem.TOO_LARGE, "picture", kilobytes=MAX_BYTES // 1024)
    image = measure(content)
    if image is None:
        raise Problem(ApplicationPictureProblem.NOT_A_PICTURE, "picture")
    if max(image.width, image.height) > MAX_SIDE:
        raise Problem(ApplicationPictureProblem.TOO_WIDE, "picture", most=MAX_SIDE)
    if role == "icon" and image.width != image.height:
        raise Problem(ApplicationPictureProblem.NOT_SQUARE, "picture")
    return image


def measure(content: bytes) -> ImageInfo | None:
    """Reads the content, not the file name. None if it is neither PNG nor JPEG."""
    try:
        if content.startswith(_PNG) and content[12:16] == b"IHDR":
            return _sized("image/png", *struct.unpack(">II", content[16:24]))
        if content.startswith(_JPEG):
            return _measure_jpeg(content)
    except (struct.error, IndexError):
        return None
    return None


def _measure_jpeg(content: bytes) -> ImageInfo | None:
    offset = 2
    while content[offset] == 0xFF:
        marker, length = content[offset + 1], struct.unpack(">H", content[offset + 2 : offset + 4])[0]
        if marker in _SIZE_MARKERS:
            height, width = struct.unpack(">HH", content[offset + 5 : offset + 9])
            return _sized("image/jpeg", width, height)
        offset += 2 + max(length, 2)
    return None


def _sized(media_type: str, width: int, height: int) -> ImageInfo | None:
    return ImageInfo(media_type, width, height) if width and height else None
