"""All settings in groups, and finding one by a word."""

import re

import pytest

from tests.support.dashboard import DashboardClient

_LINK = re.compile(r'<a href="([^"]+)">\s*<svg')


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("ramadan", ["/settings/hours"]),
        ("PIN", ["/settings/account"]),
        ("money", ["/settings/payment-methods", "/settings/drawers"]),  # the title of its group
        ("nothing like it", []),
    ],
)
async def test_a_setting_is_found_by_a_word_of_what_it_is_about(
    owner: DashboardClient, word: str, found: list[str]
) -> None:
    page = await owner.get(f"/settings?search={word}")
    assert page.status_code == 200
    main = page.text.partition('<div class="settings-groups">')[2].partition("</main>")[0]
    assert _LINK.findall(main) == found


async def test_all_settings_are_shown_in_groups(owner: DashboardClient) -> None:
    page = await owner.get("/settings")
    main = page.text.partition('<div class="settings-groups">')[2].partition("</main>")[0]
    assert len(_LINK.findall(main)) == 18
    for path in _LINK.findall(main):
        assert (await owner.get(path)).status_code == 200, path
