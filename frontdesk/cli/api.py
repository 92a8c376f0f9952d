"""`frontdesk api`: sends requests to the Open API from the command line."""

import sys
from collections.abc import Sequence
from urllib.parse import parse_qsl
from uuid import uuid4

import click
import msgspec

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk_client import ApiError, Client, FrontdeskError, RetryPolicy
from frontdesk_client.request import ApiRequest

_PREFIX = "/open-api/v1"
_METHODS = ("get", "post", "patch", "delete")
_NO_RETRIES = RetryPolicy(max_attempts=1)  # an interactive user wants to see every error


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("method", type=click.Choice(_METHODS, case_sensitive=False))
@click.argument("path")
@click.argument("rest", nargs=-1, type=click.UNPROCESSED, metavar="[BODY] [--NAME VALUE]...")
@click.option("--base-url", envvar="FRONTDESK_BASE_URL", help="Where the interface is; the service of this machine.")
@click.option("--client-id", envvar="FRONTDESK_CLIENT_ID", help="As `frontdesk sandbox` prints it.")
@click.option("--client-secret", envvar="FRONTDESK_CLIENT_SECRET", help="Better in the environment than here.")
@click.option("--token", envvar="FRONTDESK_TOKEN", help="In place of the two, when there is one already.")
@click.option("--key", help="Idempotency-Key of a write; a new one when not given.")
def api(
    method: str,
    path: str,
    rest: Sequence[str],
    base_url: str | None,
    client_id: str | None,
    client_secret: str | None,
    token: str | None,
    key: str | None,
) -> None:
    """Send a request to the Open API and print the answer.

    \b
    frontdesk api get /orders --status confirmed --page 2
    frontdesk api post /customers '{"first_name": "Sara"}'
    frontdesk api post /orders - < order.json

    Every other option is a parameter of the query. Credentials come from the options, or from FRONTDESK_CLIENT_ID and
    FRONTDESK_CLIENT_SECRET. The exit status is 1 when the answer is an error.
    """
    if not path.startswith("/"):
        raise click.UsageError(f"{path!r} is not a path: a path begins with / and is relative to the base URL")
    if not token and not (client_id and client_secret):
        raise StartupError(
            "no credentials: set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET; `frontdesk sandbox` makes them"
        )
    path, _, written = path.partition("?")
    body, query = _parted(method, rest)
    query = {**dict(parse_qsl(written, keep_blank_values=True)), **query}
    request = ApiRequest(
        method.upper(), path, msgspec.Raw, query, body, None if method == "get" else key or str(uuid4())
    )
    try:
        client = Client(base_url or _nearby(), client_id, client_secret, token=token, retry_policy=_NO_RETRIES)
    except ValueError as wrong:
        raise StartupError(str(wrong)) from wrong
    try:
        with client:
            answer = client.transport.send(request)
    except FrontdeskError as failure:
        click.echo("\n".join(_error_text(failure)), err=True)
        sys.exit(1)
    click.echo(msgspec.json.format(bytes(answer), indent=2).decode())


def _nearby() -> str:
    return read_settings().address + _PREFIX


def _parted(method: str, rest: Sequence[str]) -> tuple[bytes | None, dict[str, str]]:
    """A body, where one is taken and there is one, and then names and values."""
    words = list(rest)
    body = words.pop(0) if words and method != "get" and not words[0].startswith("--") else None
    query: dict[str, str] = {}
    while words:
        name, is_whole, value = words.pop(0).partition("=")
        if not name.startswith("--") or not (is_whole or words):
            raise click.UsageError(f"{name!r} is no parameter: write --name value")
        query[name.removeprefix("--")] = value if is_whole else words.pop(0)
    return sys.stdin.buffer.read() if body == "-" else body.encode() if body else None, query


def _error_text(failure: FrontdeskError) -> list[str]:
    if not isinstance(failure, ApiError):
        return [str(failure)]
    wrong = ((field, text) for field, texts in failure.errors.items() if field for text in texts)
    lines = [str(failure), *(f"  {field}: {text}" for field, text in wrong)]
    if failure.details:
        lines.append(f"  details: {msgspec.json.encode(failure.details).decode()}")
    if failure.retry_after is not None:
        lines.append(f"  again in {failure.retry_after:g} s")
    return [*lines, f"  request {failure.request_id}"]
