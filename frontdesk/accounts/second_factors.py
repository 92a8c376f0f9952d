"""Second factors: adding and removing them, and proving who one is with them."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.accounts.account_mail import send_account_mail
from frontdesk.accounts.member_activity import record_for_member
from frontdesk.accounts.one_time_codes import matching_step, new_app_secret, normalize_code
from frontdesk.accounts.passkeys import InvalidPasskey, NewCredential, Site, check_passkey, read_answer
from frontdesk.accounts.recovery_codes import new_recovery_codes, recovery_code_hash
from frontdesk.accounts.second_factor_queries import (
    clear_code_failures,
    count_code_failure,
    delete_factor,
    delete_pending_of,
    find_credential,
    find_recovery,
    forget_factors,
    insert_app,
    insert_passkey,
    list_apps,
    list_factors,
    lock_user,
    raise_security_version,
    rename_factor,
    replace_recovery_codes,
    seconds_until_code,
    use_credential,
    use_recovery_code,
    use_step,
)
from frontdesk.accounts.session_queries import delete_sessions
from frontdesk.accounts.user_queries import find_person
from frontdesk.auth.problems import FactorProblem
from frontdesk.auth.throttle import consume_attempt_or_raise, raise_if_throttled, subject
from frontdesk.auth.types import Person, SecondFactor
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found, or_not_found
from frontdesk.security.encrypted_token import decrypt_token, encrypt_token
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7

MAX_FACTORS = 20
CODES_A_MINUTE = 10
FREE_FAILURES, LONGEST_WAIT = 5, timedelta(minutes=15)  # in a row, from devices that are not known
SET_UP_TIME = timedelta(hours=1)
_SET_UP = "authenticator app"


class Security(NamedTuple):
    """What the account page shows."""

    factors: list[SecondFactor]
    recovery_codes: int  # not used yet
    new_email: str | None  # that waits for its link to be opened


async def get_security(conn: Connection, user_id: UUID) -> Security:
    return Security(await list_factors(conn, user_id), *await find_recovery(conn, user_id))


async def get_factor(conn: Connection, user_id: UUID, factor_id: UUID) -> SecondFactor:
    return or_not_found(
        next((factor for factor in await list_factors(conn, user_id) if factor.id == factor_id), None), "second factor"
    )


# Adding


class NewApp(NamedTuple):
    secret: str
    encrypted: str  # comes back with the first code; nothing is stored before


def new_app(secret_box: SecretBox, user_id: UUID, encrypted: str | None = None) -> NewApp:
    """The secret of an app to set up: that of the form, if it is shown again after a wrong code."""
    earlier = _decrypt_secret(secret_box, user_id, encrypted or "")
    if earlier is not None and encrypted:
        return NewApp(earlier, encrypted)
    secret = new_app_secret()
    return NewApp(secret, encrypt_token(secret_box, _SET_UP, user_id.bytes + secret.encode(), SET_UP_TIME))


def _decrypt_secret(secret_box: SecretBox, user_id: UUID, encrypted: str) -> str | None:
    opened = decrypt_token(secret_box, _SET_UP, encrypted)
    return opened[16:].decode() if opened is not None and opened[:16] == user_id.bytes else None


async def add_app(
    conn: Connection, secret_box: SecretBox, user_id: UUID, session_id: UUID, *, name: str, encrypted: str, typed: str
) -> list[str] | None:
    """The first code shows that the app works. Returns recovery codes, if these are the user's first."""
    secret = _decrypt_secret(secret_box, user_id, encrypted)
    if secret is None:
        raise Problem(FactorProblem.SET_UP_TOO_LATE, "code")
    step = matching_step(secret, normalize_code(typed) or "", 0)
    if step is None:
        raise Problem(FactorProblem.WRONG_FIRST_CODE, "code")
    async with conn.transaction():
        await _lock_for_new(conn, user_id)
        if any(secret_box.decrypt(app.secret) == secret.encode() for app in await list_apps(conn, user_id)):
            raise Problem(FactorProblem.APP_EXISTS, "code")  # the form was sent twice
        await insert_app(conn, uuid7(), user_id, name.strip(), secret_box.encrypt(secret.encode()), step)
        return await _added(conn, user_id, session_id, name.strip())


async def add_passkey(
    conn: Connection, user_id: UUID, session_id: UUID, *, name: str, new: NewCredential
) -> list[str] | None:
    """Returns recovery codes, if these are the user's first."""
    async with conn.transaction():
        await _lock_for_new(conn, user_id)
        if not await insert_passkey(conn, uuid7(), user_id, name.strip(), new):
            raise Problem(FactorProblem.PASSKEY_EXISTS)
        return await _added(conn, user_id, session_id, name.strip())


async def _lock_for_new(conn: Connection, user_id: UUID) -> None:
    await lock_user(conn, user_id)
    if len(await list_factors(conn, user_id)) >= MAX_FACTORS:
        raise Problem(FactorProblem.TOO_MANY, "name", most=MAX_FACTORS)


async def _added(conn: Connection, user_id: UUID, session_id: UUID, name: str) -> list[str] | None:
    """The first one ends the other sessions, which began without it: they may be an attacker's."""
    await _changed(conn, user_id, "added", name)
    if len(await list_factors(conn, user_id)) > 1:
        return None
    await delete_sessions(conn, user_id, but=session_id)
    return await _new_codes(conn, user_id)


async def _new_codes(conn: Connection, user_id: UUID) -> list[str]:
    codes = new_recovery_codes()
    await replace_recovery_codes(conn, user_id, [hash_secret(code.replace("-", "")) for code in codes])
    return codes


async def renew_recovery_codes(conn: Connection, user_id: UUID) -> list[str]:
    """The earlier ones become invalid."""
    async with conn.transaction():
        await lock_user(conn, user_id)
        if not await list_factors(conn, user_id):
            raise not_found("second factor")
        await _changed(conn, user_id, "recovery_codes", "")
        return await _new_codes(conn, user_id)


async def rename(conn: Connection, user_id: UUID, factor_id: UUID, name: str, version: int) -> bool:
    """False if it was changed meanwhile."""
    return await rename_factor(conn, user_id, factor_id, name.strip(), version)


# Removing


async def remove_factor(conn: Connection, user_id: UUID, factor_id: UUID) -> None:
    async with conn.transaction():
        is_operator = await lock_user(conn, user_id)
        name = or_not_found(await delete_factor(conn, user_id, factor_id), "second factor")
        if not await list_factors(conn, user_id):
            if is_operator:
                raise Problem(FactorProblem.OPERATOR_NEEDS_ONE)
            await replace_recovery_codes(conn, user_id, [])
        await _changed(conn, user_id, "removed", name)


async def remove_all_factors(conn: Connection, user_id: UUID, actor: Actor = SYSTEM) -> None:
    """Called by an operator, for a user who has lost them. The password alone signs in then; sessions end."""
    async with conn.transaction():
        await lock_user(conn, user_id)
        if not await forget_factors(conn, user_id):
            raise Problem(FactorProblem.NONE, "user")
        await delete_pending_of(conn, user_id)
        await delete_sessions(conn, user_id, but=None)
        person = await _changed(conn, user_id, "removed_by_operator", "")
        await record_for_member(conn, user_id, person.name, actor, "member.second_factor_removed")


async def _changed(conn: Connection, user_id: UUID, change: str, name: str) -> Person:
    """Ends the remembered devices, and notifies the owner."""
    await raise_security_version(conn, user_id)
    person = or_not_found(await find_person(conn, user_id), "person")
    await send_account_mail(conn, "second_factor_changed", person, {"change": change, "device": name})
    return person


# Proving


async def use_code(conn: Connection, secret_box: SecretBox, user_id: UUID, typed: str, device: bytes | None) -> None:
    """Accepts a code of an app or a recovery code, each once.

    A known device has its own limit: who guesses elsewhere does not lock out the owner. Recovery codes cannot be
    guessed, so they have none.
    """
    recovery = recovery_code_hash(typed)
    if recovery is not None:
        async with conn.transaction():
            if not await use_recovery_code(conn, user_id, recovery):
                raise Problem(FactorProblem.WRONG_CODE, "code")
            await _changed(conn, user_id, "recovery_code_used", "")
        return
    known = device.hex() if device else ""
    await consume_attempt_or_raise(conn, subject("second factor", str(user_id), known), CODES_A_MINUTE)
    if device is None:
        wait = await seconds_until_code(conn, user_id, FREE_FAILURES, LONGEST_WAIT)
        raise_if_throttled(wait)
    code = normalize_code(typed)
    for app in await list_apps(conn, user_id) if code else []:
        step = matching_step(secret_box.decrypt(app.secret).decode(), code or "", app.last_step)
        if step is not None and await use_step(conn, app.id, step):
            await clear_code_failures(conn, user_id)
            return
    if device is None:
        await count_code_failure(conn, user_id)
    raise Problem(FactorProblem.WRONG_CODE, "code")


async def use_passkey(conn: Connection, site: Site | None, challenge: bytes, answer: str, *, of: UUID | None) -> UUID:
    """Returns its user. `of`: only this one is accepted."""
    credential = read_answer(answer)
    stored = await find_credential(conn, credential.raw_id)
    if site is None or stored is None or of not in (None, stored.user_id):
        raise InvalidPasskey
    count = check_passkey(site, challenge, credential, stored)
    if not await use_credential(conn, stored.id, stored.sign_count, count):
        raise InvalidPasskey
    return stored.user_id
