"""An application that sends a business to the consent page, and what comes back."""

import re
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

import httpx2
from authlib.common.security import generate_token
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from frontdesk.auth.credentials import format_application_id
from tests.support.applications import Developer, decide
from tests.support.dashboard import DashboardClient
from tests.support.service import Service
from tests.support.shop import OPEN_API

BACK = "https://books.example/connected?tenant=7"
_HIDDEN = re.compile(r'<input type="hidden" name="(request|id|version)" value="([^"]*)">')


class Asked(NamedTuple):
    """One request of an application."""

    verifier: str
    parameters: dict[str, str]

    @property
    def path(self) -> str:
        return f"/oauth/authorize?{urlencode(self.parameters)}"


def ask(application_id: UUID, **changes: str) -> Asked:
    """Parameters that are changed to an empty string are left out."""
    verifier = generate_token(48)
    parameters = {
        "response_type": "code",
        "client_id": format_application_id(application_id),
        "redirect_uri": BACK,
        "state": generate_token(20),
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
        **changes,
    }
    return Asked(verifier, {name: value for name, value in parameters.items() if value})


async def with_redirects(developer: Developer, operator: DashboardClient | None, *addresses: str, **draft: Any) -> UUID:
    """Approved, if an operator is given."""
    application_id = await developer.draft(**draft)
    here = f"/developer/applications/{application_id}"
    await developer.send(f"{here}/redirects", {"addresses": "\n".join(addresses or (BACK,))})
    if operator is not None:
        await developer.step(application_id, "submit")
        assert await decide(operator, application_id, "approve") == 303
    return application_id


async def answer(
    desk: DashboardClient, asked: Asked, *scopes: str, decision: str = "approve", **changes: str
) -> httpx2.Response:
    """Sends the form of the page as it is."""
    page = (await desk.get(asked.path)).text
    hidden = {name: value.replace("&amp;", "&") for name, value in _HIDDEN.findall(page)}
    assert hidden, page
    fields = {**hidden, "scopes": list(scopes), "decision": decision, **changes}
    return await desk.post("/oauth/authorize", fields)


def returned(response: httpx2.Response, back: str = BACK) -> dict[str, str]:
    """What the redirect address receives."""
    assert response.status_code == 303, response.text
    location = response.headers["location"]
    assert location.startswith(back), location
    own = dict(parse_qsl(urlsplit(back).query))
    received = dict(parse_qsl(urlsplit(location).query))
    assert own.items() <= received.items()
    return {name: value for name, value in received.items() if name not in own}


async def approve(desk: DashboardClient, asked: Asked, *scopes: str) -> str:
    received = returned(await answer(desk, asked, *(scopes or ("orders:read",))))
    assert received["state"] == asked.parameters["state"]
    return received["code"]


async def exchange(service: Service, asked: Asked, code: str, /, **changes: Any) -> httpx2.Response:
    body = {
        "grant_type": "authorization_code",
        "client_id": asked.parameters["client_id"],
        "code": code,
        "redirect_uri": asked.parameters["redirect_uri"],
        "code_verifier": asked.verifier,
        **changes,
    }
    sent = {name: value for name, value in body.items() if value is not None}
    return await service.http.post(f"{OPEN_API}/oauth/token", data=sent)
