"""A business that approves an application on the consent page, and somebody who makes up an answer."""

from urllib.parse import urlsplit

import httpx2

from frontdesk.values.ids import uuid7
from tests.support.dashboard import DashboardClient


async def approve(desk: DashboardClient, sent: httpx2.Response) -> str:
    query = urlsplit(sent.headers["location"]).query
    fields = {"request": query, "id": str(uuid7()), "version": "0", "decision": "approve", "scopes": ["branches:read"]}
    answered = await desk.post("/oauth/authorize", fields)
    assert answered.status_code == 303, answered.text
    return answered.headers["location"]


def forged(sent: httpx2.Response) -> str:
    query = httpx2.URL(sent.headers["location"]).params
    return f"/connected?code=x&state={query['state']}&iss=https%3A%2F%2Fevil.example"
