"""What an application shows beside an order or a customer: a closed frame whose context only it can verify."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.applications import Developer, decide, install, shown
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop

SCOPES = {"orders:read": ("To book sales", True), "customers:read": ("To greet them", False)}
PANELS = {
    "link_order_panel": "https://books.example/panel?kind=order",
    "link_customer_panel": "http://127.0.0.1:8123/customer",
    "link_settings": "https://books.example/settings",
}
FRAME = re.compile(r'<iframe class="application-frame" data-address="([^"]+)" sandbox="([^"]+)"')


async def with_panels(developer: Developer, operator: DashboardClient, **changes: str) -> tuple[UUID, str]:
    """An approved application with panels, and its signing secret."""
    application_id = await developer.draft(scopes=SCOPES, **{**PANELS, **changes})
    secret = await developer.send(f"/developer/applications/{application_id}/secret", status=200)
    await developer.step(application_id, "submit")
    assert await decide(operator, application_id, "approve") == 303
    return application_id, shown(secret)["signing-secret"]


def read(address: str, secret: str) -> dict[str, Any]:
    """As the application reads it, with a library for webhooks."""
    sent = dict(parse_qsl(urlsplit(unescape(address)).query))
    headers = {name: sent[name.replace("-", "_")] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
    return dict(Webhook(secret).verify(sent["context"], headers))


async def frame(desk: DashboardClient, path: str) -> tuple[str, str]:
    """The address of the frame, and the policy of the page."""
    answer = await desk.get(path)
    found = FRAME.search(answer.text)
    assert found, answer.text
    assert "allow-same-origin" not in found[2]
    assert "allow-top-navigation" not in found[2]
    return unescape(found[1]), answer.headers["content-security-policy"]


async def order_of(business: Shop) -> dict[str, Any]:
    found: dict[str, Any] = (await business.get("/orders?per_page=1&status=confirmed")).json()["data"][0]
    return found


async def test_a_panel_gets_a_signed_context_and_nothing_else(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id, secret = await with_panels(developer, operator)
    app = await install(owner, business, application_id, *SCOPES)
    order = await order_of(business)
    address, policy = await frame(owner, f"/orders/{order['id']}")
    assert address.startswith("https://books.example/panel?kind=order&")
    assert policy.endswith("; frame-src https://books.example")
    context = read(address, secret)
    assert context.pop("user_id")
    assert context == {
        "tenant_id": str(business.tenant_id),
        "place": "order",
        "id": order["id"],
        "role": "owner",
        "language": "en",
    }
    address, policy = await frame(owner, f"/customers/{order['customer']['id']}")
    assert policy.endswith("; frame-src http://127.0.0.1:8123")
    assert read(address, secret)["id"] == order["customer"]["id"]
    assert PANELS["link_settings"] in (await owner.get(app.here)).text


async def test_a_changed_context_is_not_verified(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id, secret = await with_panels(developer, operator)
    await install(owner, business, application_id, *SCOPES)
    address, _ = await frame(owner, f"/orders/{(await order_of(business))['id']}")
    assert read(address, secret)["role"] == "owner"
    with pytest.raises(WebhookVerificationError):
        read(address.replace("owner", "manager"), secret)


async def test_without_the_scope_or_after_disconnecting_there_is_no_panel(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id, _ = await with_panels(developer, operator)
    app = await install(owner, business, application_id, "orders:read")
    order = await order_of(business)
    customer = f"/customers/{order['customer']['id']}"
    assert "<iframe" not in (await owner.get(customer)).text
    assert await app.tick(*SCOPES) == 303
    assert "<iframe" in (await owner.get(customer)).text
    assert await app.post("disconnect") == 303
    answer = await owner.get(f"/orders/{order['id']}")
    assert "<iframe" not in answer.text
    assert "frame-src" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "address",
    [
        "http://books.example/panel",
        "https://books.example/a b",
        "javascript:alert(1)",
        "https://x;y/",
        "https://books.example/'; script-src *",
    ],
)
async def test_an_address_that_could_change_the_policy_of_the_page_is_refused(
    developer: Developer, address: str
) -> None:
    application_id = await developer.draft()
    here = f"/developer/applications/{application_id}"
    about = {"name": "Books", "description_en": "x", "link_order_panel": address}
    page = await developer.send(f"{here}/about", about, status=422)
    assert "f-link_order_panel-e" in page


async def test_panels_need_a_signing_secret_before_the_review(developer: Developer) -> None:
    application_id = await developer.draft(scopes=SCOPES, **PANELS)
    page = await developer.step(application_id, "submit", status=422)
    assert "Its webhooks and panels need a signing secret." in page
