"""Protection against cross-site request forgery: each form has a token bound to the session and the tenant."""

import hmac
from urllib.parse import urlsplit
from uuid import UUID

from frontdesk.http.forms import Fields
from frontdesk.http.request import Request
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.problems import forbidden

CSRF_FIELD = "form_token"


def csrf_token(secret: str, tenant_id: UUID | None) -> str:
    """The tenant is part of it, so that a form in a tab of one tenant cannot act on another."""
    return hmac.digest(secret.encode(), f"form\0{tenant_id or ''}".encode(), "sha256").hex()


def verify_csrf(request: Request, fields: Fields, secret: str, tenant_id: UUID | None) -> None:
    sent = fields.get(CSRF_FIELD, [""])[-1]
    expected = csrf_token(secret, tenant_id)
    if not is_same_origin(request) or not hmac.compare_digest(sent.encode(), expected.encode()):
        raise forbidden(N_("This form has expired. Reload the page and submit it again."))


def is_same_origin(request: Request) -> bool:
    """Browsers send the origin with every form. Without the header, the token alone decides."""
    sent = request.header(b"origin") or request.header(b"referer")
    if sent is None:
        return True
    if request.resources.settings.origin:
        return _origin(sent) == request.resources.settings.origin
    return _origin(sent).partition("://")[2] == urlsplit(request.origin).netloc


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""  # equals no origin
    return f"{parts.scheme}://{parts.netloc}"
