"""Uploaded pictures: what is stored of them, what is refused, and who is shown them."""

from collections.abc import AsyncIterator, Callable
from io import BytesIO

import pytest
from PIL import Image

from frontdesk.pictures import encode
from frontdesk.pictures.encode import encode_picture
from frontdesk.pictures.problems import PictureProblem
from frontdesk.pictures.queries import delete_expired_pictures
from frontdesk.pictures.store import encode_uploaded, store_picture
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_row
from tests.factories.people import make_staff
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

_ORIENTATION, _ARTIST = 0x0112, 0x013B


def drawn(width: int, height: int, form: str = "JPEG", mode: str = "RGB", **more: object) -> bytes:
    colours: dict[str, str | int | tuple[int, ...]] = {"RGB": "red", "RGBA": (255, 0, 0, 128), "1": 0}
    file = BytesIO()
    Image.new(mode, (width, height), colours[mode]).save(file, form, **more)
    return file.getvalue()


def many_scans() -> bytes:
    """A small file that is decoded again and again."""
    picture = drawn(9, 9, progressive=True)
    last = picture.rindex(b"\xff\xda")
    return picture[:-2] + picture[last:-2] * 100 + picture[-2:]


@pytest.fixture
async def stranger(service: Service) -> AsyncIterator[DashboardClient]:
    async with DashboardClient(service.origin, service.dsn) as desk:
        yield desk


def test_an_uploaded_photo_is_rotated_scaled_and_loses_its_metadata() -> None:
    exif = Image.Exif()
    exif[_ORIENTATION], exif[_ARTIST] = 6, "Sara of Olaya Street"
    sent = drawn(3000, 1500, exif=exif, comment="Taken in Olaya Street")
    assert sent.count(b"Olaya") == 2
    picture = encode_picture(sent)
    assert (picture.media_type, picture.width, picture.height) == ("image/jpeg", 600, 1200)
    for content, side in ((picture.content, 1200), (picture.thumbnail, 320)):
        stored = Image.open(BytesIO(content))
        assert (stored.size, dict(stored.getexif())) == ((side // 2, side), {})
        assert b"Olaya" not in content


def test_a_logo_keeps_its_transparent_ground_and_a_small_one_its_size() -> None:
    picture = encode_picture(drawn(40, 30, "PNG", "RGBA"))
    assert (picture.media_type, picture.width, picture.height) == ("image/png", 40, 30)
    assert Image.open(BytesIO(picture.thumbnail)).getpixel((0, 0)) == (255, 0, 0, 128)


@pytest.mark.parametrize(
    ("draw", "error"),
    [
        (lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>', PictureProblem.NOT_A_PICTURE),
        (many_scans, PictureProblem.NOT_A_PICTURE),
        (lambda: drawn(9, 9, "GIF"), PictureProblem.NOT_A_PICTURE),
        (lambda: drawn(300, 300, "PNG")[:-40], PictureProblem.NOT_A_PICTURE),
        (lambda: drawn(10_000, 4_001, "PNG", "1"), PictureProblem.TOO_MANY_PIXELS),
        (lambda: drawn(20_000, 10_000, "PNG", "1"), PictureProblem.TOO_MANY_PIXELS),
        (lambda: bytes(encode.MAX_BYTES + 1), PictureProblem.TOO_LARGE),
    ],
    ids=["svg", "many scans", "gif", "cut off", "just too large", "far too large", "too many bytes"],
)
def test_what_is_no_picture_or_too_large_is_refused(draw: Callable[[], bytes], error: PictureProblem) -> None:
    with pytest.raises(Problem) as refused:
        encode_picture(draw())
    assert (refused.value.kind, refused.value.at) == (error, ("picture",))


async def test_a_picture_is_public_at_its_address(
    service: Service, other_shop: Shop, stranger: DashboardClient
) -> None:
    shop = await service.new_shop()
    async with pooled_connection(shop.dsn) as raw:
        picture_id = await store_picture(
            Connection(raw), shop.tenant_id, await encode_uploaded(shop.tenant_id, drawn(400, 400))
        )
    await shop.sql("SELECT swap_picture($1, NULL, $2)", picture_id)
    address = f"/pictures/{shop.tenant_id}/{picture_id}"
    full, small = await stranger.get(address), await stranger.get(f"{address}?size=small")
    assert [Image.open(BytesIO(found.content)).size for found in (full, small)] == [(400, 400), (320, 320)]
    assert full.headers["content-type"] == "image/jpeg"
    assert full.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in full.headers["cache-control"]
    assert full.headers["content-security-policy"] == "default-src 'none'; sandbox"
    for elsewhere in (f"/pictures/{other_shop.tenant_id}/{picture_id}", f"/pictures/{shop.tenant_id}/{uuid7()}"):
        assert (await stranger.get(elsewhere)).status_code == 404
    staff_id = await make_staff(shop)
    await change_row(shop, "staff", staff_id, picture_id=picture_id)
    assert (await shop.get(f"/staff/{staff_id}")).json()["data"]["image"] == shop.origin + address


async def test_a_picture_that_nothing_shows_is_deleted(shop: Shop) -> None:
    async with pooled_connection(shop.dsn) as raw:
        conn = Connection(raw)
        unused, old, new = [
            await store_picture(conn, shop.tenant_id, await encode_uploaded(shop.tenant_id, drawn(2, 2)))
            for _ in range(3)
        ]
        await shop.sql("SELECT swap_picture($1, NULL, $2)", old)
        await shop.sql("SELECT swap_picture($1, $2, $3)", old, new)
        await change_row(shop, "pictures", unused, expires_at=ago(seconds=1))
        await delete_expired_pictures(conn, 100)
    left = await shop.sql("SELECT id FROM pictures WHERE tenant_id = $1 AND id = ANY($2)", [unused, old, new])
    assert [row["id"] for row in left] == [new]
