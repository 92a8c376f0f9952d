"""Passkeys (WebAuthn): what the browser is asked for, and whether its answer is genuine. No database."""

import ipaddress
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from frontdesk.auth.problems import SignInProblem
from frontdesk.problems import Problem
from frontdesk.values.lazy_modules import LazyModule

if TYPE_CHECKING:
    import webauthn
    import webauthn.helpers.exceptions
    import webauthn.helpers.structs
else:
    webauthn = LazyModule("webauthn")  # a tenth of all that `frontdesk serve` would import

CHALLENGE_BYTES = 32
_NAME = "Frontdesk"


class Site(NamedTuple):
    """Where the browser is: a passkey works on the host that it was made for."""

    origin: str
    rp_id: str


class Credential(NamedTuple):
    """A passkey as it is stored."""

    id: UUID
    user_id: UUID
    credential_id: bytes
    rp_id: str
    public_key: bytes
    sign_count: int


class NewCredential(NamedTuple):
    rp_id: str
    credential_id: bytes
    public_key: bytes
    sign_count: int


class InvalidPasskey(Exception):
    """The answer of the browser is not a valid one for the challenge, this site and this passkey."""


def site_of(origin: str) -> Site | None:
    """None if browsers offer no passkeys there: they need https (or localhost) and a name, not an address."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost")
    if not host or (parts.scheme != "https" and not is_local) or _is_address(host):
        return None
    return Site(origin, host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def new_challenge() -> bytes:
    return secrets.token_bytes(CHALLENGE_BYTES)


def creation_options(
    site: Site, challenge: bytes, user_id: UUID, email: str, name: str, existing: Sequence[bytes]
) -> str:
    """A discoverable credential, so that it also signs in alone; the device checks its owner each time."""
    options = webauthn.generate_registration_options(
        rp_id=site.rp_id,
        rp_name=_NAME,
        user_id=user_id.bytes,
        user_name=email,
        user_display_name=name,
        challenge=challenge,
        authenticator_selection=webauthn.helpers.structs.AuthenticatorSelectionCriteria(
            resident_key=webauthn.helpers.structs.ResidentKeyRequirement.REQUIRED,
            user_verification=webauthn.helpers.structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[webauthn.helpers.structs.PublicKeyCredentialDescriptor(id=id_) for id_ in existing],
    )
    return webauthn.options_to_json(options)


def request_options(site: Site, challenge: bytes, allowed: Sequence[bytes]) -> str:
    """`allowed`: of one user; none lets the user choose among all passkeys of the device."""
    options = webauthn.generate_authentication_options(
        rp_id=site.rp_id,
        challenge=challenge,
        allow_credentials=[webauthn.helpers.structs.PublicKeyCredentialDescriptor(id=id_) for id_ in allowed],
        user_verification=webauthn.helpers.structs.UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options)


def check_new_passkey(site: Site | None, challenge: bytes | None, answer: str) -> NewCredential:
    """Without a site or an open challenge, no answer is valid."""
    if site is None or challenge is None:
        raise InvalidPasskey
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (webauthn.helpers.exceptions.WebAuthnException, ValueError, RecursionError) as error:
        raise InvalidPasskey from error
    return NewCredential(site.rp_id, made.credential_id, made.credential_public_key, made.sign_count)


def read_answer(answer: str) -> "webauthn.helpers.structs.AuthenticationCredential":
    """422 for what no browser sends, however deep it is nested."""
    try:
        return webauthn.helpers.parse_authentication_credential_json(answer)
    except (webauthn.helpers.exceptions.WebAuthnException, ValueError, RecursionError) as error:
        raise Problem(SignInProblem.UNREADABLE_PASSKEY) from error


def check_passkey(
    site: Site, challenge: bytes, answer: "webauthn.helpers.structs.AuthenticationCredential", stored: Credential
) -> int:
    """Returns the new count of signatures, which never falls unless the passkey was copied."""
    handle = answer.response.user_handle
    if stored.rp_id != site.rp_id or (handle is not None and handle != stored.user_id.bytes):
        raise InvalidPasskey
    try:
        used = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=stored.public_key,
            credential_current_sign_count=stored.sign_count,
            require_user_verification=True,
        )
    except (webauthn.helpers.exceptions.WebAuthnException, ValueError, RecursionError) as error:
        raise InvalidPasskey from error
    return used.new_sign_count
