"""The samples of the documentation in colors, the address of each field, and light or dark as the reader chose it."""

import re
from html import unescape

import pytest

from frontdesk.docs_site.highlight import highlight
from tests.support.service import Service


@pytest.mark.parametrize(
    ("sample", "colored"),
    [
        ('{"total": 12.50}', {"name": ['"total"'], "number": ["12.50"]}),
        ("x = True  # of a day", {"keyword": ["True"], "comment": ["# of a day"]}),
        ("curl https://shop.example/a/for -H 'Accept: a'", {"text": ["'Accept: a'"]}),
        ("GET /orders/2026-11-19 404", {"number": ["404"]}),
        ("<b>&</b>", {}),
    ],
)
def test_a_sample_is_colored_and_stays_the_same_text(sample: str, colored: dict[str, list[str]]) -> None:
    html = str(highlight(sample))
    found: dict[str, list[str]] = {}
    for name, text in re.findall(r'<span class="code-(\w+)">(.*?)</span>', html):
        found.setdefault(name, []).append(unescape(text))
    assert found == colored
    assert unescape(re.sub(r"</?span[^>]*>", "", html)) == sample


async def test_each_field_has_an_address_and_pages_follow_the_chosen_theme(service: Service) -> None:
    operation = "/docs/reference/open-api/create_order"
    page = (await service.http.get(operation)).text
    addresses = re.findall(r'<li id="([^"]+)">', page)
    assert "body.team_id" in addresses
    assert len(addresses) == len(set(addresses))
    links = re.findall(r'<a class="field-name" href="#([^"]+)">', page)
    assert "body.items.id" in links  # it has no fields of its own: those are in a summary, which has no link
    assert set(links) <= set(addresses)
    assert "data-theme" not in page
    dark = await service.http.get(operation, headers={"cookie": "frontdesk_theme=dark"})
    assert 'data-theme="dark"' in dark.text
    odd = await service.http.get("/docs?theme=x", headers={"cookie": "frontdesk_theme=x"})
    assert "data-theme" not in odd.text
    chosen = await service.http.get("/docs/search?q=hold&theme=dark", headers={"cookie": "frontdesk_theme=light"})
    assert 'data-theme="dark"' in chosen.text
    assert 'href="?q=hold&amp;theme=light"' in chosen.text
    assert chosen.headers["set-cookie"].startswith("frontdesk_theme=dark; ")
