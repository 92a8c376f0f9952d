"""The page of an import that runs: how far it is, and how long it will take."""

from uuid import uuid4

import pytest

from tests.factories.changes import ago, ahead, change_row, change_rows
from tests.factories.imports import insert_import
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop


@pytest.mark.parametrize(
    ("progress", "seconds", "words"),
    [
        (990, 2000, "about 21 seconds"),  # so long ago that the time until the page is drawn changes nothing
        (600, 3000, "about 33 minutes"),
        (0, 20, None),
        (1000, 50, None),
    ],
)
async def test_the_remaining_time_of_an_import_is_estimated(
    owner: DashboardClient, own_shop: Shop, progress: int, seconds: int, words: str | None
) -> None:
    import_id = await insert_import(own_shop)
    await change_row(
        own_shop,
        "imports",
        import_id,
        status="running",
        new_rows=900,
        changed_rows=100,
        progress=progress,
        started_at=ago(seconds=seconds),
        lease=uuid4(),
        leased_until=ahead(hours=1),
    )
    page = (await owner.get(f"/import/{import_id}")).text
    assert f"{progress:,} of 1,000 rows" in page
    assert ("about" in page) == (words is not None)
    if words:
        assert words in page


@pytest.mark.parametrize("language", ["en", "ar"])
async def test_numbers_of_rows_have_a_separator_of_thousands(
    owner: DashboardClient, own_shop: Shop, language: str
) -> None:
    import_id = await insert_import(own_shop)
    await change_rows(own_shop, "imports", total_rows=60000, new_rows=59999)
    await owner.post("/language", {"language": language})
    page = (await owner.get(f"/import/{import_id}")).text
    assert "60,000" in page
    assert "59,999" in page
    assert "60000" not in page
    assert "59999" not in page
