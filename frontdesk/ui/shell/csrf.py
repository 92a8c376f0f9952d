"""That a form was sent from one of our own pages, by the person it was shown to, for the business it was shown for."""

import hashlib
import hmac
from urllib.parse import urlsplit
from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.http.forms import Fields
from frontdesk.http.request import Request
from frontdesk.ui.shell.i18n import N_

FIELD = "form_token"


def form_token(seed: str, tenant_id: UUID | None) -> str:
    """Bound to the business too: in a browser with two tabs, a form of the one never acts on the other."""
    return hmac.new(seed.encode(), f"form\0{tenant_id or ''}".encode(), hashlib.sha256).hexdigest()


def verify_csrf(request: Request, fields: Fields, seed: str, tenant_id: UUID | None) -> None:
    sent = fields.get(FIELD, [""])[-1]
    if not _comes_from_here(request) or not hmac.compare_digest(sent.encode(), form_token(seed, tenant_id).encode()):
        raise WireError(
            Code.INSUFFICIENT_SCOPE,
            N_("This form is not good any more. Go back, load the page again and send it once more."),
        )


def _comes_from_here(request: Request) -> bool:
    """Browsers name the origin of every form they send; where nothing is named, the token alone decides."""
    sent = request.header(b"origin") or request.header(b"referer")
    if sent is None:
        return True
    if request.resources.settings.origin:
        return _origin(sent) == request.resources.settings.origin
    return _origin(sent).partition("://")[2] == urlsplit(request.origin).netloc


def _origin(address: str) -> str:
    """An address that nobody can read is none of ours."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
