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
@click.option(
    "--base-url", envvar="FRONTDESK_BASE_URL", help="Base URL of the API; default: the server of this machine."
)
@click.option("--client-id", envvar="FRONTDESK_CLIENT_ID", help="Client id, as `frontdesk sandbox` prints it.")
@click.option(
    "--client-secret",
    envvar="FRONTDESK_CLIENT_SECRET",
    help="Client secret; safer in the environment than on the command line.",
)
@click.option("--token", envvar="FRONTDESK_TOKEN", help="Access token, instead of client id and secret.")
@click.option("--key", help="Idempotency-Key of a write; default: a random one.")
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
    """Send a request to the Open API and print the response.

    \b
    frontdesk api get /orders --status confirmed --page 2
    frontdesk api post /customers '{"first_name": "Sara"}'
    frontdesk api post /orders - < order.json

    Every other option is a query parameter. Credentials come from the options, or from FRONTDESK_CLIENT_ID and
    FRONTDESK_CLIENT_SECRET. The exit status is 1 if the response is an error.
    """
    if not path.startswith("/"):
        raise click.UsageError(f"{path!r} is not a path: it must begin with / and is relative to the base URL")
    if not token and not (client_id and client_secret):
        raise StartupError(
            "no credentials: set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET; `frontdesk sandbox` creates them"
        )
    path, _, query_string = path.partition("?")
    body, options = _split_arguments(method, rest)
    query = {**dict(parse_qsl(query_string, keep_blank_values=True)), **options}
    request = ApiRequest(
        method.upper(), path, msgspec.Raw, query, body, None if method == "get" else key or str(uuid4())
    )
    try:
        client = Client(base_url or local_base_url(), client_id, client_secret, token=token, retry_policy=_NO_RETRIES)
    except ValueError as error:
        raise StartupError(str(error)) from error
    try:
        with client:
            response = client.transport.send(request)
    except FrontdeskError as error:
        click.echo("\n".join(_error_lines(error)), err=True)
        sys.exit(1)
    click.echo(msgspec.json.format(bytes(response), indent=2).decode())


def local_base_url() -> str:
    return read_settings().address + _PREFIX


def _split_arguments(method: str, rest: Sequence[str]) -> tuple[bytes | None, dict[str, str]]:
    """The optional body, and the query parameters."""
    arguments = list(rest)
    body = arguments.pop(0) if arguments and method != "get" and not arguments[0].startswith("--") else None
    query: dict[str, str] = {}
    while arguments:
        name, equals_sign, value = arguments.pop(0).partition("=")
        if not name.startswith("--") or not (equals_sign or arguments):
            raise click.UsageError(f"{name!r} is not a parameter: write --name value")
        query[name.removeprefix("--")] = value if equals_sign else arguments.pop(0)
    return sys.stdin.buffer.read() if body == "-" else body.encode() if body else None, query


def _error_lines(error: FrontdeskError) -> list[str]:
    if not isinstance(error, ApiError):
        return [str(error)]
    field_errors = ((field, text) for field, texts in error.errors.items() if field for text in texts)
    lines = [str(error), *(f"  {field}: {text}" for field, text in field_errors)]
    if error.details:
        lines.append(f"  details: {msgspec.json.encode(error.details).decode()}")
    if error.retry_after is not None:
        lines.append(f"  retry after {error.retry_after:g} s")
    if error.doc_url is not None:
        lines.append(f"  see {error.doc_url}")
    return [*lines, f"  request {error.request_id}"]
