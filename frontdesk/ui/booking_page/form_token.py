"""The encrypted texts of the public page, which need no cookie and no table: the hidden field of a form with its id and
when it was shown, the proof of an e-mail address, and the address of an entry of the waiting list.
"""

import base64
import binascii
import hashlib
import time
from typing import NamedTuple
from uuid import UUID

from frontdesk.net.email_domains import canonical_email
from frontdesk.security.encryption import DecryptionFailed, SecretBox

_FORM = b"booking form\0"
_PROOF = b"booking proof\0"
_WAITING = b"waiting list\0"
_ID_BYTES = 16
_TIME_BYTES = 8  # milliseconds since 1970


class FormToken(NamedTuple):
    form_id: UUID
    shown_at: float  # seconds since 1970
    text: str = ""  # as it was sent; the page shows it again, so that a script knows that the form is the same

    @property
    def age(self) -> float:
        return time.time() - self.shown_at


def write_form_token(secret_box: SecretBox, tenant_id: UUID, token: FormToken) -> str:
    return _seal(secret_box, _FORM + tenant_id.bytes + token.form_id.bytes + _moment(token.shown_at))


def read_form_token(secret_box: SecretBox, tenant_id: UUID, text: str) -> FormToken | None:
    content = _open(secret_box, _FORM + tenant_id.bytes, text)
    if content is None or len(content) != _ID_BYTES + _TIME_BYTES:
        return None
    return FormToken(UUID(bytes=content[:_ID_BYTES]), int.from_bytes(content[_ID_BYTES:]) / 1000, text)


def write_proof(secret_box: SecretBox, tenant_id: UUID, email: str, now: float) -> str:
    """The code that was sent to this address was entered."""
    return _seal(secret_box, _PROOF + tenant_id.bytes + _hash(email) + _moment(now))


def is_proven(secret_box: SecretBox, tenant_id: UUID, email: str, text: str, max_age: float) -> bool:
    content = _open(secret_box, _PROOF + tenant_id.bytes + _hash(email), text)
    return content is not None and time.time() - int.from_bytes(content) / 1000 < max_age


def write_waiting_token(secret_box: SecretBox, tenant_id: UUID, entry_id: UUID) -> str:
    """For the address at which a customer sees what they wait for, and leaves the waiting list."""
    return _seal(secret_box, _WAITING + tenant_id.bytes + entry_id.bytes)


def read_waiting_token(secret_box: SecretBox, tenant_id: UUID, text: str) -> UUID | None:
    content = _open(secret_box, _WAITING + tenant_id.bytes, text)
    return None if content is None or len(content) != _ID_BYTES else UUID(bytes=content)


def _hash(email: str) -> bytes:
    return hashlib.sha256(canonical_email(email).encode("utf-8", "surrogatepass")).digest()


def _moment(seconds: float) -> bytes:
    return int(seconds * 1000).to_bytes(_TIME_BYTES)


def _seal(secret_box: SecretBox, content: bytes) -> str:
    return base64.urlsafe_b64encode(secret_box.encrypt(content)).decode()


def _open(secret_box: SecretBox, prefix: bytes, text: str) -> bytes | None:
    """What follows the prefix, which says what the token is for."""
    try:
        content = secret_box.decrypt(base64.urlsafe_b64decode(text))
    except (DecryptionFailed, ValueError, binascii.Error):
        return None
    return content[len(prefix) :] if content.startswith(prefix) else None
