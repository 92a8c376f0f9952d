"""Requests that may be lost on the way, and are made once all the same."""

import json
import time
from decimal import Decimal
from typing import Any
from uuid import uuid4

import httpx2

_AGAIN = {429, 500, 502, 503}  # nothing was done, or it may be asked for again under the same key
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 5.0


class Refused(Exception):
    """The service understood the request and said no; asking again would not help."""


class Wire:
    def __init__(self, origin: str, api_key: str, patience: float = 120.0) -> None:
        self._http = httpx2.Client(base_url=f"{origin}/api/v1", headers={"X-Api-Key": api_key}, timeout=10)
        self._patience = patience
        self.lost = 0  # requests or answers that did not arrive

    def get(self, path: str, **params: str) -> Any:  # noqa: ANN401 - JSON
        return self._send("GET", path, params=params)

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401
        return self._write("POST", path, body)

    def put(self, path: str, body: object) -> Any:  # noqa: ANN401
        return self._write("PUT", path, body)

    def _write(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401
        """One key for the act, not for the attempt: whichever attempt arrives first is the one that counts."""
        headers = {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json"}
        return self._send(method, path, headers=headers, content=json.dumps(body))

    def _send(self, method: str, path: str, **request: Any) -> Any:  # noqa: ANN401
        deadline, wait = time.monotonic() + self._patience, _FIRST_WAIT
        while True:
            try:
                answer = self._http.request(method, path, **request)
            except httpx2.TransportError:
                self.lost += 1
                if time.monotonic() > deadline:
                    raise
            else:
                if not _may_succeed(answer) or time.monotonic() > deadline:
                    return _data(answer)
                wait = max(wait, float(answer.headers.get("Retry-After", 0)))
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)


def _may_succeed(answer: httpx2.Response) -> bool:
    """A 409 only while another attempt runs: an outdated version stays outdated."""
    if answer.status_code == httpx2.codes.CONFLICT:
        return bool(answer.json()["error"] == "idempotency_key_in_use")
    return answer.status_code in _AGAIN


def _data(answer: httpx2.Response) -> Any:  # noqa: ANN401
    """Amounts never go through a float on their way in."""
    read = json.loads(answer.text, parse_float=Decimal, parse_int=Decimal)
    if answer.is_error:
        raise Refused(f"{answer.status_code} {read['error']}: {read['message']}")
    return read["data"]
