"""Checks an uploaded picture and encodes it anew, so that no metadata and nothing hidden in the file is stored."""

import struct
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageOps

from frontdesk.pictures.problems import PictureProblem
from frontdesk.problems import Problem

MAX_BYTES = 5 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_SIDE = 1200
THUMBNAIL_SIDE = 320
_FORMATS = ("JPEG", "PNG", "WEBP")
_JPEG_SCAN = b"\xff\xda"  # the marker before each scan; the bytes of a scan do not contain it
_MAX_SCANS = 100  # a progressive JPEG has about ten, and each of them is decoded over the whole picture
_ENCODED = ("JPEG", "PNG")
# What Pillow raises for a damaged file, and for one that claims too many pixels.
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error)
_TOO_MANY_PIXELS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class EncodedPicture(NamedTuple):
    media_type: str
    width: int
    height: int
    content: bytes
    thumbnail: bytes


def encode_picture(content: bytes) -> EncodedPicture:
    """At most 1200 pixels wide and high, with a thumbnail of 320. PNG where it has transparent pixels, else JPEG."""
    if len(content) > MAX_BYTES:
        raise Problem(PictureProblem.TOO_LARGE, "picture", megabytes=MAX_BYTES // 1024 // 1024)
    try:
        image = _open(content)
    except _TOO_MANY_PIXELS:
        raise _too_large() from None
    except _UNREADABLE:
        raise Problem(PictureProblem.NOT_A_PICTURE, "picture") from None
    image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    thumbnail = image.copy()
    thumbnail.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
    media_type = "image/png" if image.mode == "RGBA" else "image/jpeg"
    return EncodedPicture(media_type, *image.size, _encode(image), _encode(thumbnail))


def is_encoded(content: bytes, media_type: str) -> bool:
    """Whether this could be a picture that was encoded here. It is not decoded."""
    try:
        opened = Image.open(BytesIO(content), formats=_ENCODED)
    except (*_TOO_MANY_PIXELS, *_UNREADABLE):
        return False
    return opened.get_format_mimetype() == media_type and max(opened.size) <= MAX_SIDE


def _open(content: bytes) -> Image.Image:
    """Upright, in RGB or RGBA, without comments. The size is read first: decoding is what takes memory."""
    opened: Image.Image = Image.open(BytesIO(content), formats=_FORMATS)
    if opened.width * opened.height > MAX_PIXELS:
        raise _too_large()
    if opened.format == "JPEG" and content.count(_JPEG_SCAN) > _MAX_SCANS:
        raise ValueError("a JPEG that takes minutes to decode")
    opened.draft("RGB", (MAX_SIDE, MAX_SIDE))  # a JPEG is decoded at a fraction of its size
    ImageOps.exif_transpose(opened, in_place=True)
    mode = "RGBA" if opened.has_transparency_data else "RGB"
    image = opened if opened.mode == mode else opened.convert(mode)
    image.info.clear()  # Pillow writes a JPEG's comment again
    return image


def _encode(image: Image.Image) -> bytes:
    encoded = BytesIO()
    if image.mode == "RGBA":
        image.save(encoded, "PNG", optimize=True, exif=b"", icc_profile=None)
    else:
        image.save(encoded, "JPEG", quality=85, optimize=True, progressive=True, exif=b"", icc_profile=None)
    return encoded.getvalue()


def _too_large() -> Problem:
    return Problem(PictureProblem.TOO_MANY_PIXELS, "picture", millions=MAX_PIXELS // 1_000_000)
