"""Redirect addresses of an application: where the browser of a business returns to after it approved or refused."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

from frontdesk.applications.problems import ApplicationProblem
from frontdesk.problems import Problem

MAX_LENGTH = 500
_LOOPBACK = ("127.0.0.1", "localhost")
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
# The characters of RFC 3986, so that an address cannot end a header or a policy that contains it. No fragment, no user.
_ADDRESS = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(\.{_LABEL})*)(:[0-9]{{1,5}})?(/[\w.~!$&'()*+,;=:@%/-]*)?(\?[\w.~!$&'()*+,;=:@%/?-]*)?",
    re.ASCII,
)
_OURS = frozenset({"code", "state", "iss", "error", "error_description"})


def redirect_problem(address: str) -> Problem | None:
    """Why the address cannot be registered, or None."""
    found = _ADDRESS.fullmatch(address)
    if len(address) > MAX_LENGTH or found is None:
        return Problem(ApplicationProblem.NOT_A_FULL_ADDRESS, address=address)
    is_loopback = found["host"] in _LOOPBACK
    if found["scheme"] == "http" and not is_loopback:
        return Problem(ApplicationProblem.NOT_HTTPS, address=address)
    if found["scheme"] == "https" and not is_loopback and "." not in found["host"]:
        return Problem(ApplicationProblem.NOT_A_FULL_ADDRESS, address=address)
    if _OURS & {name for name, _ in parse_qsl(urlsplit(address).query, keep_blank_values=True)}:
        return Problem(ApplicationProblem.HAS_OUR_PARAMETER, address=address)
    return None


def with_parameters(address: str, parameters: Mapping[str, str]) -> str:
    separator = "&" if "?" in address else "?"
    return f"{address}{separator}{urlencode(parameters)}"


def origin_of(address: str) -> str:
    """Safe in a header, because only addresses without a problem are registered."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
