"""Applications that take tasks: the example, broken in one way each, and a naive one."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import httpx2

from examples.tasks.desk import Desk, Json
from frontdesk_client import ApiError, Client, FrontdeskError, RetryPolicy
from tests.factories.credentials import ApiClient
from tests.support.shop import NO_CERTIFICATES

Hook = Callable[[httpx2.Request], None]


def client_of(base_url: str, client: ApiClient, hook: Hook | None = None, policy: RetryPolicy | None = None) -> Client:
    """`hook` changes each request before it is sent."""
    http = httpx2.Client(timeout=30, verify=NO_CERTIFICATES, event_hooks={"request": [hook] if hook else []})
    return Client(base_url, client.name, client.secret, retry_policy=policy or RetryPolicy(), http_client=http)


def right(base_url: str, client: ApiClient) -> Desk:
    return Desk(client_of(base_url, client))


def without_keys(base_url: str, client: ApiClient) -> Desk:
    def drop(request: httpx2.Request) -> None:
        request.headers.pop("idempotency-key", None)

    return Desk(client_of(base_url, client, drop))


def with_a_key_for_each_attempt(base_url: str, client: ApiClient) -> Desk:
    def renew(request: httpx2.Request) -> None:
        if "idempotency-key" in request.headers:
            request.headers["idempotency-key"] = str(uuid4())

    return Desk(client_of(base_url, client, renew))


class _Stateless(Desk):
    """Asks for a token, and reads everything, for each task."""

    def __init__(self, new_client: Callable[[], Client]) -> None:
        self._new_client = new_client

    def close(self) -> None:
        """Each task closes its own."""

    def do(self, task: Json) -> Json | None:
        with self._new_client() as client:
            return Desk(client).do(task)


def with_a_token_for_each_task(base_url: str, client: ApiClient) -> Desk:
    return _Stateless(lambda: client_of(base_url, client))


def that_never_tries_again(base_url: str, client: ApiClient) -> Desk:
    return Desk(client_of(base_url, client, policy=RetryPolicy(max_attempts=1)))


class _Hasty(RetryPolicy):
    """Tries again at once, and often."""

    def delay_after(self, outcome: object, attempt: int) -> float | None:
        is_answered = isinstance(outcome, httpx2.Response) and outcome.status_code not in (409, 429, 500, 502, 503)
        return None if is_answered or attempt == 30 else 0.0


def that_does_not_wait(base_url: str, client: ApiClient) -> Desk:
    return Desk(client_of(base_url, client, policy=_Hasty()))


class _Insistent(Desk):
    """Repeats the whole task whatever the reason was that it failed for."""

    def do(self, task: Json) -> Json | None:
        for _ in range(11):
            try:
                return super().do(task)
            except (ApiError, LookupError) as error:
                failure = error
        raise failure


def that_repeats_the_task(base_url: str, client: ApiClient) -> Desk:
    return _Insistent(client_of(base_url, client))


class _OnePage(Desk):
    def do(self, task: Json) -> Json | None:
        if task["do"] == "list":
            return {"count": len(next(iter(self.client.customers.list().pages())).data)}
        return super().do(task)


def that_reads_one_page(base_url: str, client: ApiClient) -> Desk:
    return _OnePage(client_of(base_url, client))


class _Overwriting(Desk):
    def do(self, task: Json) -> Json | None:
        if task["do"] == "price":
            self.client.items.update(task["item_id"], price=task["price"])
            return {}
        return super().do(task)


def that_sends_no_version(base_url: str, client: ApiClient) -> Desk:
    return _Overwriting(client_of(base_url, client))


class _Strict(Desk):
    """Knows all fields and words that there are today."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        client.transport.http_client.event_hooks["response"] = [self._look]

    @staticmethod
    def _look(response: httpx2.Response) -> None:
        if b"2031" in response.read():
            raise LookupError("what is that?")


def that_knows_all_words(base_url: str, client: ApiClient) -> Desk:
    return _Strict(client_of(base_url, client))


class _Polling(Desk):
    """Asks for orders all the time."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._ended = threading.Event()
        self._polling = threading.Thread(target=self._poll)
        self._polling.start()

    def close(self) -> None:
        self._ended.set()
        self._polling.join()
        super().close()

    def _poll(self) -> None:
        while not self._ended.wait(0.01):
            with suppress(FrontdeskError):
                next(iter(self.client.branches.list()), None)


def that_polls(base_url: str, client: ApiClient) -> Desk:
    return _Polling(client_of(base_url, client))


class Naive(Desk):
    """As a first evening writes it: no keys, no second attempt, the first page, any slot."""

    def __init__(self, base_url: str, client: ApiClient) -> None:
        self._credentials = {"client_id": client.name, "client_secret": client.secret}
        self._http = httpx2.Client(base_url=base_url, timeout=30, verify=NO_CERTIFICATES)

    def close(self) -> None:
        self._http.close()

    def do(self, task: Json) -> Json | None:
        asked = {"grant_type": "client_credentials", **self._credentials}
        token = self._http.post("/oauth/token", json=asked).json()["access_token"]
        self._http.headers["authorization"] = f"Bearer {token}"
        try:
            return self._answer(task)
        except (httpx2.TransportError, KeyError, ValueError) as error:
            raise LookupError(str(error)) from error

    def _answer(self, task: Json) -> Json | None:
        match task["do"]:
            case "book":
                return {"order_id": self._make_order(task)["id"]}
            case "list":
                return {"count": len(self._call("GET", "/customers?per_page=100")["data"])}
            case "show":
                return {"found": "data" in self._call("GET", f"/items/{task['item_id']}")}
            case "price":
                self._call("PATCH", f"/items/{task['item_id']}", {"price": task["price"]})
                return {}
        return None

    def _make_order(self, task: Json) -> Json:
        service = self._call("GET", f"/items/{task['service_id']}")["data"]
        customer = self._call("POST", "/customers", {"first_name": task["first_name"]})["data"]
        asked = {"service_id": service["id"], "date": time.strftime("%Y-%m-%d"), "next_availability": True}
        slots = self._call("POST", "/availability", asked)["data"]["slots"]
        starts = [f"{day}T{start}:00" for day, times in slots.items() for start in times]
        for start in starts:
            order = self._call(
                "POST",
                "/orders",
                {
                    "team_id": service["branch"]["id"],
                    "customer_id": customer["id"],
                    "start": start,
                    "items": [{"id": service["id"], "type": "service", "quantity": 1}],
                },
            )
            if order.get("error") != "timeslot_unavailable":
                made: Json = order["data"]
                return made
        raise LookupError("no free time")

    def _call(self, method: str, path: str, body: Json | None = None) -> Any:
        return self._http.request(method, path, json=body).json()


def naive(base_url: str, client: ApiClient) -> Desk:
    return Naive(base_url, client)


NewDesk = Callable[[str, ApiClient], Desk]
_REPEATED = {"rate-limited", "unavailable", "server-error", "not-checked", "html-error", "cut-off", "key-in-use"}
# What each does wrong, and the scenarios that say so.
BROKEN: dict[NewDesk, set[str]] = {
    without_keys: {"keys", "lost-answer", "lost-customer", "pay-once"},
    with_a_key_for_each_attempt: {"server-error", "cut-off", "lost-answer", "lost-customer", "pay-once"},
    with_a_token_for_each_task: {"token-kept"},
    that_never_tries_again: {*_REPEATED, "lost-answer", "token-later", "pages-rate-limited", "cancel-lost"},
    that_does_not_wait: {"rate-limited", "rate-limited-anywhere", "unavailable", "gives-up", "pauses", "backs-off"},
    that_repeats_the_task: {"invalid-order", "missing-scope", "suspended", "slots-all-taken", "no-such-order"},
    that_reads_one_page: {"all-pages", "pages-rate-limited"},
    that_sends_no_version: {"version-sent", "version-conflict", "changed-meanwhile"},
    that_knows_all_words: {"new-fields", "new-values"},
    that_polls: {"no-polling"},
}
NAIVE = {
    *_REPEATED,
    *("keys", "token-kept", "token-revoked", "token-later", "rate-limited-anywhere", "slots-all-taken"),
    *("lost-answer", "lost-customer", "slow-answer", "version-sent", "version-conflict", "changed-meanwhile"),
    *("all-pages", "pages-rate-limited", "pages-failing", "pages-cut-off"),
}
