"""Checks an uploaded picture and encodes it anew, so that no metadata and nothing hidden in the file is stored."""

import struct
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageOps

from frontdesk.errors import invalid

MAX_BYTES = 5 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_SIDE = 1200
THUMBNAIL_SIDE = 320
_FORMATS = ("JPEG", "PNG", "WEBP")
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
        raise invalid({"picture": [f"must be smaller than {MAX_BYTES // 1024 // 1024} MB"]})
    try:
        image = _open(content)
    except _TOO_MANY_PIXELS:
        raise _too_large() from None
    except _UNREADABLE:
        raise invalid({"picture": ["must be a JPEG, PNG or WebP picture"]}) from None
    picture, thumbnail = _fit(image, MAX_SIDE), _fit(image, THUMBNAIL_SIDE)
    media_type = "image/png" if image.mode == "RGBA" else "image/jpeg"
    return EncodedPicture(media_type, *picture.size, _encode(picture), _encode(thumbnail))


def is_encoded(content: bytes, media_type: str) -> bool:
    """Whether this could be a picture that was encoded here. It is not decoded."""
    try:
        opened = Image.open(BytesIO(content), formats=_ENCODED)
    except (*_TOO_MANY_PIXELS, *_UNREADABLE):
        return False
    return opened.get_format_mimetype() == media_type and max(opened.size) <= MAX_SIDE


def _open(content: bytes) -> Image.Image:
    """Upright, in RGB or RGBA. The size is read first: decoding is what takes memory."""
    opened = Image.open(BytesIO(content), formats=_FORMATS)
    if opened.width * opened.height > MAX_PIXELS:
        raise _too_large()
    opened.draft("RGB", (MAX_SIDE, MAX_SIDE))  # a JPEG is decoded at a fraction of its size
    upright = ImageOps.exif_transpose(opened)
    return upright.convert("RGBA" if upright.has_transparency_data else "RGB")


def _fit(image: Image.Image, side: int) -> Image.Image:
    fitted = image.copy()
    fitted.thumbnail((side, side), Image.Resampling.LANCZOS)
    return fitted


def _encode(image: Image.Image) -> bytes:
    encoded = BytesIO()
    if image.mode == "RGBA":
        image.save(encoded, "PNG", optimize=True, exif=b"", icc_profile=None)
    else:
        image.save(encoded, "JPEG", quality=85, optimize=True, progressive=True, exif=b"", icc_profile=None)
    return encoded.getvalue()


def _too_large() -> Exception:
    return invalid({"picture": [f"must have at most {MAX_PIXELS // 1_000_000} million pixels"]})
