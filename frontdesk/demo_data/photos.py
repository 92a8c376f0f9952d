"""Photos of customers before and after a visit, with their consent. The pictures are drawn: strands of hair."""

import struct
import zlib
from datetime import date, datetime, timedelta
from functools import cache
from math import sin
from typing import NamedTuple
from uuid import UUID

from frontdesk.demo_data.store import Row, Store, Table
from frontdesk.values.ids import uuid7

_Colour = tuple[int, int, int]
_WIDTH, _HEIGHT, _THUMBNAIL = 240, 320, 4  # a thumbnail has a side of one in four
_SHADES = (0.82, 1.0, 0.9, 1.08, 0.76, 0.96, 1.14, 0.88)  # of strands that lie side by side


class PhotographedVisit(NamedTuple):
    customer: int  # of the shoppers
    days_ago: int
    how: str
    note: str
    before: _Colour
    after: _Colour


VISITS = (
    PhotographedVisit(0, 12, "written", "Balayage, toner 8.1", (92, 70, 58), (176, 122, 72)),
    PhotographedVisit(2, 9, "in_person", "Colour 6.64", (70, 62, 60), (150, 62, 40)),
    PhotographedVisit(4, 5, "written", "Protein treatment", (120, 92, 70), (104, 66, 44)),
)


def photo_tables(now: datetime, today: date, store: Store, owner_id: UUID) -> list[Table]:
    consents: list[Row] = []
    pictures: list[Row] = []
    photos: list[Row] = []
    for visit in VISITS:
        customer_id, at = store.shoppers[visit.customer].id, now - timedelta(days=visit.days_ago)
        consents.append((uuid7(), customer_id, visit.how, at, owner_id))
        for shows, colour in (("before", visit.before), ("after", visit.after)):
            picture_id, taken_on = uuid7(), today - timedelta(days=visit.days_ago)
            small = draw_hair(colour, _WIDTH // _THUMBNAIL, _HEIGHT // _THUMBNAIL)
            drawn = draw_hair(colour, _WIDTH, _HEIGHT)
            pictures.append((picture_id, "image/png", _WIDTH, _HEIGHT, drawn, small, True, at))
            note = visit.note if shows == "after" else None
            photos.append((uuid7(), customer_id, picture_id, shows, taken_on, note, owner_id, at))
    return [
        Table("photo_consents", "id customer_id how given_at recorded_by", consents),
        Table("pictures", "id media_type width height content thumbnail is_private created_at", pictures),
        Table("customer_photos", "id customer_id picture_id shows taken_on note author_id created_at", photos),
    ]


@cache
def draw_hair(colour: _Colour, width: int, height: int) -> bytes:
    """A PNG. Every row is the one above it, moved: that takes a millisecond, and compresses to a few kilobytes."""
    strand = max(width // 60, 1)
    shades = [_SHADES[x // strand * 5 % len(_SHADES)] for x in range(width)]
    row = b"".join(bytes(min(int(part * shade), 255) for part in colour) for shade in shades)
    moved = [3 * int(width / 14 * (1 + sin(y * 9 / height))) for y in range(height)]
    rows = b"".join(b"\0" + row[by:] + row[:by] for by in moved)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
