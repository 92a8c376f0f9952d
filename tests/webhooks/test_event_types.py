from frontdesk.webhooks.event_types import READ_SCOPES
from tests.support.shop import Shop


async def test_the_database_and_the_api_require_the_same_scopes_of_events(shop: Shop, other_shop: Shop) -> None:
    rows = await shop.sql(
        "SELECT t.type, event_read_scopes(t.type) FROM unnest($2::text[]) AS t (type) WHERE $1::uuid IS NOT NULL",
        list(READ_SCOPES),
    )
    assert {row[0]: tuple(row[1]) for row in rows} == READ_SCOPES
