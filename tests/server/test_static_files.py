"""Style sheets, scripts and pictures: compressed, and loaded once."""

import re
from urllib.parse import urljoin

import pytest

from frontdesk.ui.shell.assets import asset, assets, scripts
from tests.support.service import Service

pytestmark = pytest.mark.both_servers


async def test_a_static_file_with_its_hash_is_loaded_once_and_compressed(service: Service) -> None:
    address = asset("styles/pages.css")
    plain = await service.http.get(address, headers={"accept-encoding": "identity"})
    packed = await service.http.get(address, headers={"accept-encoding": "gzip, br"})
    assert plain.content == packed.content  # the client unpacks it
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 3
    assert plain.headers["etag"] != packed.headers["etag"]
    for answer in (plain, packed):
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "accept-encoding"


async def test_a_static_file_without_its_hash_is_checked_each_time(service: Service) -> None:
    for address in ("/static/styles/pages.css", "/static/styles/pages.css?0123456789"):
        first = await service.http.get(address)
        assert first.headers["cache-control"] == "public, no-cache"
        again = await service.http.get(address, headers={"if-none-match": f'W/"x", {first.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        other = await service.http.get(address, headers={"if-none-match": '"other"'})
        assert (other.status_code, other.content) == (200, first.content)


async def test_a_picture_is_not_compressed_again(service: Service) -> None:
    picture = await service.http.get("/static/guides/booking-en.webp", headers={"accept-encoding": "gzip"})
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/webp")
    assert "content-encoding" not in picture.headers


async def test_scripts_import_each_other_by_addresses_with_hashes(service: Service) -> None:
    """Without its hash a script would be asked for each time, and be another one than that of the page."""
    names = [name for name in assets() if name.endswith(".js")]
    known = {asset(name) for name in names}
    found = set()
    for address in known:
        text = (await service.http.get(address)).text
        found |= {urljoin(address, specifier) for specifier in re.findall(r'(?:from|import) "([^"]+)"', text)}
    assert len(found) > 20
    assert found - known == set()


def test_a_page_names_all_that_its_scripts_import_once() -> None:
    text = scripts("move/move.js booking/booking.js")
    assert text.count(asset("scripts/dom.js")) == 1
    named = set(re.findall(r'"/static/([^?"]+)', text))
    for name in ("scripts/move/move.js", "scripts/booking/booking.js"):
        assert {name, *assets()[name].imports} <= named
