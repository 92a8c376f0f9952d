"""An application exchanges the code of an approval for the credentials of its install, once."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.authorization import verifier_matches
from frontdesk.applications.problems import InstallProblem
from frontdesk.applications.queries.codes import StoredCode, lock_code, mark_code_used
from frontdesk.auth.client_queries import update_client_secret
from frontdesk.auth.clients import GRACE
from frontdesk.auth.credentials import new_client_secret, tenant_of_code
from frontdesk.auth.install_queries import revoke_installed_secret
from frontdesk.auth.problems import ThrottleProblem
from frontdesk.auth.rate_limit import count_failures, seconds_until_allowed
from frontdesk.auth.throttle import raise_if_throttled, subject
from frontdesk.auth.tokens import GUESSES_OF_ADDRESS, IssuedToken, issue_token
from frontdesk.auth.types import Client
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.secrets import hash_secret
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.values.actor import SYSTEM, Actor


class CodeExchange(NamedTuple):
    """What the application sends."""

    application_id: UUID
    code: str
    redirect_uri: str
    code_verifier: str
    address: str  # that the request came from


class InstallToken(NamedTuple):
    """The secret and the token are returned only here."""

    tenant_id: UUID
    install_id: UUID
    client_id: UUID
    secret: str
    token: IssuedToken


async def exchange_code(conn: Connection, sent: CodeExchange) -> InstallToken:
    """Rotates the secret of the install. An earlier one stays valid for a day, so that the application can switch."""
    limits = {subject("client", address_prefix(sent.address)): GUESSES_OF_ADDRESS}
    raise_if_throttled(await seconds_until_allowed(conn, limits), ThrottleProblem.FAILURES)
    tenant_id = tenant_of_code(sent.code)
    issued = None
    if tenant_id is not None:
        async with conn.transaction():
            issued = await _exchange(conn, tenant_id, sent)
    if issued is None:
        await count_failures(conn, limits)
        raise Problem(InstallProblem.CODE_REJECTED)
    return issued


async def _exchange(conn: Connection, tenant_id: UUID, sent: CodeExchange) -> InstallToken | None:
    """None if the code is rejected. What a second use revokes is committed."""
    code_hash = hash_secret(sent.code)
    code = await lock_code(conn, tenant_id, code_hash)
    if code is None or not _is_for(code, sent):
        return None
    if code.is_used:
        await _revoke(conn, tenant_id, code)
        return None
    if code.is_expired or code.is_disconnected:
        return None
    if code.is_suspended:
        raise Problem(BusinessProblem.SUSPENDED)
    if not code.has_open_api:
        raise Problem(BusinessProblem.NO_OPEN_API)
    secret = new_client_secret()
    await update_client_secret(
        conn,
        tenant_id,
        code.client_id,
        code.secret_version,
        secret_hash=hash_secret(secret),
        grace=GRACE,
        installed=True,
    )
    version = code.secret_version + 1
    await mark_code_used(conn, tenant_id, code_hash, version)
    actor = Actor("app", code.client_id, sent.address)
    await record_activity(conn, tenant_id, actor, "application.connected", code.install_id, code.name)
    client = Client(tenant_id, code.client_id, frozenset(code.scopes), version, is_suspended=False, has_open_api=True)
    token = await issue_token(conn, client, [])
    return InstallToken(tenant_id, code.install_id, code.client_id, secret, token)


def _is_for(code: StoredCode, sent: CodeExchange) -> bool:
    """Who copied only the code does not know the verifier, and can neither use nor revoke anything."""
    return (
        code.application_id == sent.application_id
        and code.redirect_uri == sent.redirect_uri
        and verifier_matches(sent.code_verifier, code.code_challenge)
    )


async def _revoke(conn: Connection, tenant_id: UUID, code: StoredCode) -> None:
    if code.issued_version is not None and await revoke_installed_secret(
        conn, tenant_id, code.client_id, code.issued_version, hash_secret(new_client_secret())
    ):
        action = "application.credentials_revoked"
        await record_activity(conn, tenant_id, SYSTEM, action, code.install_id, code.name)
