"""The mail about a new publication of the Open API: once, to those whose programs use what is broken or deprecated."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from frontdesk.auth.types import Role
from frontdesk.changelog.announce import announce_new
from frontdesk.changelog.announcement_mail import Program, write_mail
from frontdesk.changelog.announcement_queries import Recipient
from frontdesk.changelog.types import removed
from frontdesk.messages.compose import compose
from frontdesk.messages.types import Content, Message
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.apis.openapi.made_up_changelog import made_up_changelog
from tests.factories.applications import install_application, make_install
from tests.factories.credentials import ApiClient, make_client
from tests.factories.publications import set_announced
from tests.factories.users import change_user, make_user, owner_of
from tests.messages.conftest import others_suspended, worker
from tests.support.connections import pooled_connection
from tests.support.servers.mail_server import mail_server, part
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

FIRST, DEPRECATES_ITEMS, REMOVES_EVENT = "2027-01-02", "2027-02-03", "2027-03-04"
ORDER = "/orders/018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"  # of nobody: a call all the same


@pytest.fixture
async def made_up(own_shop: Shop, tmp_path: Path) -> AsyncIterator[None]:
    """Three publications. Other tests' businesses are not told of them."""
    async with others_suspended(own_shop):
        with made_up_changelog(tmp_path):
            yield
        await set_announced(own_shop, ())


async def calls(client: ApiClient, path: str) -> None:
    await client.shop.get(path, token=await client.token())

    async def is_counted() -> bool:
        return bool(
            await client.shop.sql("SELECT FROM used_operations WHERE tenant_id = $1 AND caller_id = $2", client.id)
        )

    await eventually(is_counted)


async def told(shop: Shop) -> list[str]:
    """The addresses, with one for each mail."""
    rows = await shop.sql(
        "SELECT email FROM account_messages WHERE kind = 'api_changes' AND state = 'due' AND $1::uuid IS NOT NULL"
    )
    return sorted(row["email"] for row in rows)


async def addresses(shop: Shop, user_ids: Iterable[UUID]) -> list[str]:
    rows = await shop.sql("SELECT email FROM users WHERE id = ANY ($2) AND $1::uuid IS NOT NULL", list(user_ids))
    return sorted(row["email"] for row in rows)


def _text(mail: EmailMessage) -> str:
    return part(mail, "plain").replace("\r\n", "\n")


async def start_two_workers(shop: Shop) -> None:
    async with pooled_connection(shop.dsn) as one, pooled_connection(shop.dsn) as other:
        await asyncio.gather(*(announce_new(Connection(raw)) for raw in (one, other)))


@pytest.mark.usefixtures("made_up")
async def test_who_uses_what_is_deprecated_gets_one_mail(own_shop: Shop, service: Service) -> None:
    other, third = await service.new_shop(), await service.new_shop()
    client = await make_client(own_shop)
    await calls(client, "/items")
    await calls(await make_client(other), ORDER)  # only gets a new field
    install_id = await make_install(own_shop)
    ((application_id, developer_id),) = await own_shop.sql(
        "SELECT a.id, a.developer_id FROM installs i JOIN applications a ON a.id = i.application_id "
        "WHERE i.tenant_id = $1 AND i.id = $2",
        install_id,
    )
    for shop, install in ((own_shop, install_id), (third, await install_application(third, application_id))):
        await calls(await make_client(shop, install_id=install), "/items")
    manager = await make_user(own_shop, Role.MANAGER)
    await make_user(own_shop, Role.RECEPTIONIST)

    await set_announced(own_shop, ())
    await start_two_workers(own_shop)
    assert await told(own_shop) == [], "an installation begins with what is published"

    await set_announced(own_shop, [FIRST, REMOVES_EVENT])
    await start_two_workers(own_shop)
    people = [await owner_of(own_shop), manager, await owner_of(third), developer_id]
    assert await told(own_shop) == await addresses(own_shop, people)
    await start_two_workers(own_shop)
    assert len(await told(own_shop)) == len(people), "each publication is announced once"


@pytest.mark.usefixtures("made_up")
async def test_the_mail_lists_what_breaks_before_what_is_deprecated(own_shop: Shop) -> None:
    client = await make_client(own_shop)
    hook = {"url": "https://books.example/hooks", "events": ["order.created"]}
    assert (await own_shop.post("/webhooks", hook, token=await client.token())).status_code == 201
    for path in ("/items", "/limits"):
        await own_shop.get(path, token=await client.token())

    async def are_counted() -> bool:
        rows = await own_shop.sql("SELECT FROM used_operations WHERE tenant_id = $1 AND caller_id = $2", client.id)
        return len(rows) == 3

    await eventually(are_counted)
    arab = await make_user(own_shop, Role.MANAGER, name="سارة")
    await change_user(own_shop, arab, language="ar")
    await set_announced(own_shop, [FIRST])
    page = f"{own_shop.origin}/settings/api/clients/{client.id}/changes"
    async with mail_server() as server, worker(own_shop, server):
        (to_owner,) = await addresses(own_shop, [await owner_of(own_shop)])
        (mail,) = await eventually(lambda: server.to(to_owner))
        (arabic,) = await eventually(lambda: server.to(f"{arab.hex}@people.example"))
    assert mail["Subject"] == "Changes of the API concern Test client"
    text = _text(mail)
    changes = [line.split(maxsplit=1) for line in text.splitlines() if line.startswith(("Break", "Depr", "Compat"))]
    assert changes == [
        ["Breaking:", "event order.created was removed"],
        ["Deprecated:", "GET /items is deprecated"],
        ["Compatible:", "GET /limits ?at is a new parameter"],
    ]
    assert f"See the changes:\n{page}?lang=en\n" in text
    text = _text(arabic)
    assert "يتطلب تعديلًا: event order.created was removed" in text
    assert f"عرض التغييرات:\n{page}?lang=ar\n" in text


def test_several_programs_have_a_link_each_and_a_long_list_is_cut() -> None:
    now = datetime.now(UTC)
    reader = Recipient(uuid7(), "sara@example.com", "Sara", "en")
    changes = [removed(f"GET /items/{number}", "was removed") for number in range(10, 43)]
    mail = write_mail(reader, changes, [Program("Books", "/books"), Program("Tills", "/tills")], "Salon")
    data = msgspec.to_builtins(mail["data"])
    message = Message(uuid7(), None, "api_changes", reader.email, reader.name, reader.language, now, data)
    composed = compose(Content(message), "https://desk.example", now)
    assert composed.subject == "Changes of the API concern Books, Tills"
    assert (composed.facts[0].value, composed.facts[1].value) == ("Salon", "GET /items/10 was removed")
    *_, last, more, first, second = composed.facts
    assert (last.value, more.label, more.value) == ("GET /items/39 was removed", "Further changes", "3")
    links = [f"https://desk.example/{path}?lang=en" for path in ("books", "tills")]
    assert ([first.link, second.link], composed.buttons) == (links, ())
