"""An application gets its credentials by a code after the business approved it, and nobody else gets any."""

import asyncio
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from authlib.common.security import generate_token
from authlib.oauth2 import OAuth2Client
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

from frontdesk.auth.credentials import format_application_id
from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Pool
from frontdesk.server.cleanup import run_cleanup
from frontdesk.values.ids import uuid7
from tests.apis.open.callers.test_oauth_with_authlib import Session
from tests.factories.changes import ago, change_rows, change_tenant
from tests.factories.users import add_member, make_user, owner_of
from tests.support.applications import Developer, decide, install
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.consent import BACK, Asked, answer, approve, ask, exchange, returned, with_redirects
from tests.support.service import Service
from tests.support.shop import Shop

METADATA = "/.well-known/oauth-authorization-server"


async def test_authlib_connects_an_application_from_the_metadata_alone(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await with_redirects(developer, operator)
    metadata = AuthorizationServerMetadata((await service.http.get(METADATA)).json())
    metadata.validate_response_types_supported()
    metadata.validate_code_challenge_methods_supported()
    client_id = format_application_id(application_id)
    verifier = generate_token(48)
    oauth = OAuth2Client(
        Session(),
        client_id,
        token_endpoint_auth_method="none",
        scope="orders:read",
        redirect_uri=BACK,
        code_challenge_method="S256",
    )
    url, state = oauth.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    asked = Asked(verifier, dict(parse_qsl(urlsplit(url).query)))
    response = await answer(owner, asked, "orders:read")
    received = returned(response)
    assert received["iss"] == metadata["issuer"]

    def fetch() -> dict[str, Any]:
        token: dict[str, Any] = oauth.fetch_token(
            metadata["token_endpoint"],
            authorization_response=response.headers["location"],
            code_verifier=verifier,
            state=state,
        )
        return token

    token = await asyncio.to_thread(fetch)
    assert token["scope"] == "orders:read"
    assert token["tenant_id"] == str(business.tenant_id)
    assert (await business.get("/orders", token=token["access_token"])).status_code == 200
    assert (await business.get("/items", token=token["access_token"])).status_code == 403
    again = await business.ask_for_token(client_id=token["client_id"], client_secret=token["client_secret"])
    assert again.json().keys() == {"token_type", "expires_in", "access_token", "scope"}
    assert (await business.get("/orders", token=again.json()["access_token"])).status_code == 200
    activity = (await owner.get("/activity")).text
    assert "installed the application" in activity
    assert "it fetched its credentials" in activity


async def test_approving_again_changes_the_scopes_and_issues_another_secret(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await with_redirects(developer, operator)
    by_hand = await install(owner, business, application_id, "orders:read")
    token = await by_hand.token()
    asked = ask(application_id)
    page = (await owner.get(asked.path)).text
    assert "It is already installed." in page
    assert 'value="orders:read" checked' in page
    code = await approve(owner, asked, "orders:read", "items:read")
    assert (await business.get("/items", token=token)).status_code == 200
    issued = (await exchange(service, asked, code)).json()
    assert issued["install_id"] == str(by_hand.id)
    assert issued["client_id"] == by_hand.shown["client-id"]
    assert issued["client_secret"] != by_hand.shown["client-secret"]
    assert (await business.get("/items", token=issued["access_token"])).status_code == 200
    assert (await business.get("/items", token=token)).status_code == 200  # for a day
    events = await business.sql("SELECT type FROM events WHERE tenant_id = $1 AND type LIKE 'app.%' ORDER BY sequence")
    assert [row["type"] for row in events] == ["app.installed", "app.scopes_changed"]
    await approve(owner, ask(application_id), "orders:read", "items:read")
    events = await business.sql("SELECT FROM events WHERE tenant_id = $1 AND type = 'app.scopes_changed'")
    assert len(events) == 1


async def test_a_scope_that_is_not_named_is_not_offered_unless_it_is_required(
    developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    scopes = {"orders:read": ("a", True), "items:read": ("b", False), "staff:read": ("c", False)}
    application_id = await with_redirects(developer, operator, scopes=scopes)
    page = (await owner.get(ask(application_id, scope="staff:read").path)).text
    assert [scope in page for scope in scopes] == [True, False, True]
    refused = await answer(owner, ask(application_id), "staff:read")
    assert refused.status_code == 422
    assert "The application requires this scope" in refused.text
    assert 'name="request"' in refused.text


async def test_refusing_installs_nothing_and_says_so(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await with_redirects(developer, operator)
    asked = ask(application_id)
    received = returned(await answer(owner, asked, "orders:read", decision="refuse"))
    assert (received["error"], received["state"]) == ("access_denied", asked.parameters["state"])
    assert "code" not in received
    assert not await business.sql("SELECT FROM installs WHERE tenant_id = $1 AND application_id = $2", application_id)


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uri": "https://evil.example/connected?tenant=7"},
        {"redirect_uri": f"{BACK}&more=1"},
        {"redirect_uri": f"{BACK}#x"},
        {"redirect_uri": BACK.replace("books.example", "books.example@evil.example")},
        {"redirect_uri": BACK.replace("https", "HTTPS")},
        {"redirect_uri": ""},
        {"client_id": ""},
        {"client_id": "fda_AAAAAAAAAAAAAAAAAAAAAA"},
        {"client_id": "fdc_x"},
        {"state": "x" * 4000},
    ],
)
async def test_nothing_leads_to_an_address_that_is_not_registered(
    developer: Developer, operator: DashboardClient, owner: DashboardClient, change: dict[str, str]
) -> None:
    asked = ask(await with_redirects(developer, operator), **change)
    shown = await owner.get(asked.path)
    assert shown.status_code == 400
    assert "The application cannot be connected" in shown.text
    assert "Back to the application" not in shown.text
    assert 'href="http' not in shown.text
    sent = {"request": urlencode(asked.parameters)[:3000], "id": str(uuid7()), "version": "1", "decision": "refuse"}
    answered = await owner.post("/oauth/authorize", sent)
    assert (answered.status_code, answered.headers.get("location")) == (400, None)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": ""}, "invalid_request"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"state": ""}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"scope": "orders:read customers:write"}, "invalid_scope"),
    ],
)
async def test_a_wrong_request_is_explained_and_only_a_link_leads_back(
    developer: Developer, operator: DashboardClient, owner: DashboardClient, change: dict[str, str], error: str
) -> None:
    asked = ask(await with_redirects(developer, operator), **change)
    shown = await owner.get(asked.path)
    assert shown.status_code == 400
    assert f"&amp;error={error}&amp;" in shown.text
    assert "Back to the application" in shown.text
    sent = {"request": urlencode(asked.parameters), "id": str(uuid7()), "version": "1", "decision": "approve"}
    answered = await owner.post("/oauth/authorize", {**sent, "scopes": ["orders:read"]})
    assert (answered.status_code, answered.headers.get("location")) == (400, None)


async def test_a_parameter_twice_is_refused(
    developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    asked = ask(await with_redirects(developer, operator))
    shown = await owner.get(f"{asked.path}&redirect_uri=https%3A%2F%2Fevil.example")
    assert shown.status_code == 400


async def test_a_code_is_good_once_and_a_second_use_revokes_what_it_issued(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    asked = ask(await with_redirects(developer, operator))
    code = await approve(owner, asked)
    answers = await asyncio.gather(*(exchange(service, asked, code) for _ in range(3)))
    assert sorted(one.status_code for one in answers) == [200, 400, 400]
    issued = next(one.json() for one in answers if one.status_code == 200)
    assert (await business.get("/orders", token=issued["access_token"])).status_code == 401
    refused = await business.ask_for_token(client_id=issued["client_id"], client_secret=issued["client_secret"])
    assert refused.status_code == 401
    assert "its code was used twice" in (await owner.get("/activity")).text
    fresh = ask(await _application_of(business, issued["install_id"]))
    renewed = (await exchange(service, fresh, await approve(owner, fresh))).json()
    late = await exchange(service, asked, code)
    assert (late.status_code, late.json()["error"]) == (400, "invalid_grant")
    assert (await business.get("/orders", token=renewed["access_token"])).status_code == 200


async def _application_of(business: Shop, install_id: str) -> Any:
    (row,) = await business.sql("SELECT application_id FROM installs WHERE tenant_id = $1 AND id = $2", install_id)
    return row["application_id"]


async def test_a_code_is_bound_to_its_application_address_and_verifier(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    other_address = "https://books.example/other"
    application_id = await with_redirects(developer, operator, BACK, other_address)
    other = await with_redirects(developer, operator, name="Other")
    asked = ask(application_id)
    code = await approve(owner, asked)
    for change in (
        {"client_id": format_application_id(other)},
        {"redirect_uri": other_address},
        {"code_verifier": generate_token(48)},
        {"code_verifier": asked.parameters["code_challenge"]},
        {"code": code[:-1] + ("A" if code[-1] != "A" else "B")},
        {"code": "fdo_x"},
    ):
        wrong = await exchange(service, asked, code, **change)
        assert (wrong.status_code, wrong.json()["error"]) == (400, "invalid_grant"), change
    for change in ({"client_id": "fdc_x"}, {"client_secret": "fds_x"}):
        wrong = await exchange(service, asked, code, **change)
        assert (wrong.status_code, wrong.json()["error"]) == (401, "authentication_failed"), change
    for name in ("code", "redirect_uri", "code_verifier", "client_id"):
        missing = await exchange(service, asked, code, **{name: None})
        assert (missing.status_code, list(missing.json()["errors"])) == (422, [name])
    good = await exchange(service, asked, code, client_secret="")
    assert good.status_code == 200
    assert good.headers["cache-control"] == "no-store"
    # Who copied only the code cannot revoke with it.
    assert (await exchange(service, asked, code, code_verifier=generate_token(48))).status_code == 400
    assert (await business.get("/orders", token=good.json()["access_token"])).status_code == 200


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        *((change, 400, "invalid_grant") for change in ("expire", "disconnect", "suspend")),
        ("suspend the business", 403, "business_suspended"),
    ],
)
async def test_a_code_that_came_too_late_gives_nothing(
    service: Service,
    developer: Developer,
    operator: DashboardClient,
    business: Shop,
    owner: DashboardClient,
    change: str,
    status: int,
    error: str,
) -> None:
    application_id = await with_redirects(developer, operator)
    code = await approve(owner, asked := ask(application_id))
    if change == "suspend":
        await decide(operator, application_id, "suspend", "It sells data")
    elif change == "disconnect":
        own = "SELECT id FROM installs WHERE tenant_id = $1 AND application_id = $2"
        (row,) = await business.sql(own, application_id)
        await owner.post(f"/settings/applications/installed/{row['id']}/disconnect")
    elif change == "expire":
        await change_rows(business, "authorization_codes", expires_at=ago())
    else:
        await change_tenant(business, suspended_at=ago())
    late = await exchange(service, asked, code)
    assert (late.status_code, late.json()["error"]) == (status, error)
    shown = await owner.get(ask(application_id).path)
    assert shown.status_code == {"disconnect": 200, "suspend": 400}.get(change, 403 if status == 403 else 200)


async def test_a_draft_is_connected_only_in_its_developers_sandbox(
    service: Service, developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    local = "http://127.0.0.1:8765/connected"
    application_id = await with_redirects(developer, None, local)
    asked = ask(application_id, redirect_uri=local)
    assert (await owner.get(asked.path)).status_code == 400
    received = returned(await answer(developer.desk, asked, "orders:read"), local)
    assert (await exchange(service, asked, received["code"])).json()["tenant_id"] == str(developer.sandbox.tenant_id)
    await developer.step(application_id, "submit")
    assert "127.0.0.1:8765" in (await operator.get(f"/operator/applications/{application_id}")).text
    await decide(operator, application_id, "approve")
    await developer.step(application_id, "withdraw")
    await developer.send(f"/developer/applications/{application_id}/redirects", {"addresses": BACK})
    assert (await owner.get(ask(application_id).path)).status_code == 400  # the approved version has another address
    assert (await owner.get(asked.path)).status_code == 200


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("http://books.example/back", "must begin with https://"),
        ("https://books.example/back#here", "without a fragment"),
        ("https://user@books.example/back", "without a fragment"),
        ("https://books", "without a fragment"),
        ("https://books.example/a;b\\c", "without a fragment"),
        ("javascript:alert(1)", "without a fragment"),
        ("https://books.example/?code=1", "a parameter that the answer adds"),
        (
            "https://b.example/1 https://b.example/2 https://b.example/3 " * 2
            + " ".join(f"https://b.example/{n}" for n in range(4, 7)),
            "at most 5",
        ),
    ],
)
async def test_an_address_that_cannot_be_registered_is_named(developer: Developer, address: str, error: str) -> None:
    application_id = await developer.draft()
    here = f"/developer/applications/{application_id}/redirects"
    assert error in await developer.send(here, {"addresses": address}, status=422)


async def test_the_page_is_for_owners_who_sign_in_and_choose_a_business_first(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, stranger: DashboardClient
) -> None:
    asked = ask(await with_redirects(developer, operator), scope="orders:read items:read")
    led = await stranger.get(asked.path)
    assert led.status_code == 303
    form = await stranger.get(led.headers["location"])
    assert asked.path.replace("&", "&amp;") in form.text
    other = await service.new_shop()
    user_id = await make_user(business, Role.RECEPTIONIST)
    await add_member(other, user_id, Role.OWNER)
    async with await dashboard_of(business, user_id) as desk:
        await desk.post(f"/businesses/{business.tenant_id}", page="/businesses")
        refused = await desk.get(asked.path)
        assert refused.status_code == 403
        choose = f"/businesses?{urlencode({'next': asked.path})}"
        assert choose.replace("&", "&amp;") in refused.text
        chosen = await desk.post(f"/businesses/{other.tenant_id}", {"next": asked.path}, page=choose)
        assert chosen.headers["location"] == asked.path
        shown = await desk.get(asked.path)
        assert "Another business" in shown.text
        elsewhere = {"next": "//evil.example"}
        assert (await desk.post(f"/businesses/{other.tenant_id}", elsewhere)).headers["location"] == "/start"


async def test_the_page_cannot_be_framed_nor_its_form_forged(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    asked = ask(await with_redirects(developer, operator))
    page = await owner.get(asked.path)
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' https://books.example;" in policy
    assert page.headers["x-frame-options"] == "DENY"
    fields = {
        "request": urlencode(asked.parameters),
        "id": str(uuid7()),
        "version": "1",
        "decision": "approve",
        "scopes": "orders:read",
    }
    for sent, origin in (
        (fields, owner.origin),
        ({**fields, "form_token": await owner.form_token()}, "https://books.example"),
    ):
        forged = await owner.http.post("/oauth/authorize", data=sent, headers={"origin": origin})
        assert forged.status_code == 403
    async with await dashboard_of(business, await owner_of(business)) as other_session:
        foreign = {**fields, "form_token": await other_session.form_token()}
        forged = await owner.http.post("/oauth/authorize", data=foreign, headers={"origin": owner.origin})
        assert forged.status_code == 403


async def test_the_same_form_twice_installs_once(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await with_redirects(developer, operator)
    asked, install_id = ask(application_id), str(uuid7())
    first = returned(await answer(owner, asked, "orders:read", id=install_id))
    fields = {"request": urlencode(asked.parameters), "id": install_id, "version": "1", "decision": "approve"}
    second: httpx2.Response = await owner.post("/oauth/authorize", {**fields, "scopes": ["orders:read"]})
    installed = "SELECT FROM installs WHERE tenant_id = $1 AND application_id = $2"
    assert len(await business.sql(installed, application_id)) == 1
    issued = (await exchange(service, asked, returned(second)["code"])).json()
    assert (await business.get("/orders", token=issued["access_token"])).status_code == 200
    assert first["code"] != returned(second)["code"]


async def test_old_codes_are_deleted(
    service: Service, developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    await approve(owner, ask(await with_redirects(developer, operator)))
    kept = "SELECT FROM authorization_codes WHERE tenant_id = $1"
    database = Pool(service.dsn)
    await run_cleanup(database)
    assert await business.sql(kept)
    await change_rows(business, "authorization_codes", expires_at=ago(days=2))
    await run_cleanup(database)
    await database.close()
    assert not await business.sql(kept)
