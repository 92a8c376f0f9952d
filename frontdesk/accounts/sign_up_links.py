"""Where mail can be sent, a sign-up goes on with a mailed link: the page says the same for every address.

The link contains what was entered, encrypted: nothing is stored until it is opened and a password is chosen.
"""

import asyncio
from datetime import timedelta

import msgspec

from frontdesk.accounts.account_mail import Kind, encrypted_link, may_send, send_account_mail
from frontdesk.accounts.password_reset import ANSWER_SECONDS, MAX_ATTEMPTS
from frontdesk.accounts.sessions import Connect
from frontdesk.accounts.user_queries import find_account, find_person
from frontdesk.accounts.users import PreparedUser, prepare_user
from frontdesk.auth.problems import LinkProblem
from frontdesk.auth.throttle import address_subject, consume_attempt_or_raise
from frontdesk.auth.types import Person
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.encrypted_token import decrypt_token, encrypt_token
from frontdesk.security.encryption import SecretBox
from frontdesk.values.ids import uuid7

LINK_LIFETIME = timedelta(days=1)


class SignUpRequest(msgspec.Struct, frozen=True):
    email: str
    name: str
    fields: dict[str, str]  # of the business or of the developer


async def mail_sign_up_link(
    connect: Connect, secret_box: SecretBox, path: str, request: SignUpRequest, language: str
) -> None:
    """To an address without an account: the link to `path`. To another: a mail that says that there is an account.

    Neither the answer nor its time tells which of them was sent.
    """
    answer = asyncio.create_task(asyncio.sleep(ANSWER_SECONDS))
    async with connect() as conn:
        account = await find_account(conn, request.email)
        person = await find_person(conn, account.id) if account else None
        if person is not None:
            await _mail_once(conn, person, encrypted_link(secret_box, "/sign-in"), known=True)
        else:
            token = encrypt_token(secret_box, path, msgspec.json.encode(request), LINK_LIFETIME)
            new = Person(uuid7(), canonical_email(request.email), request.name.strip(), language)
            await _mail_once(conn, new, encrypted_link(secret_box, f"{path}?token={token}"), known=False)
    await answer


async def _mail_once(conn: Connection, to: Person, link: dict[str, str], *, known: bool) -> None:
    kind: Kind = "account_exists" if known else "sign_up"
    if await may_send(conn, kind, to.email):
        await send_account_mail(conn, kind, to, link)


def open_sign_up_link(secret_box: SecretBox, path: str, token: str) -> SignUpRequest:
    opened = decrypt_token(secret_box, path, token)
    if opened is None:
        raise Problem(LinkProblem.SIGN_UP)
    return msgspec.json.decode(opened, type=SignUpRequest)


async def prepare_linked_user(
    connect: Connect, request: SignUpRequest, password: str, address: str, own: tuple[str, ...]
) -> PreparedUser:
    """Raises if the address has an account: the link was used."""
    async with connect() as conn:
        await consume_attempt_or_raise(conn, address_subject(address), MAX_ATTEMPTS)
        if await find_account(conn, request.email) is not None:
            raise Problem(LinkProblem.SIGN_UP)
    return await prepare_user(request.email, request.name, password, own=own)
