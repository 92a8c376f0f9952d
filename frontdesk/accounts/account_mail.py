"""Mail to people with an account. It is queued in the transaction of the change; the worker sends it."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from frontdesk.auth.types import Person
from frontdesk.messages.secret_data import encrypt_values
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox

Kind = Literal[
    "password_reset",
    "password_changed",
    "email_verification",
    "email_changed",
    "sign_up",
    "account_exists",
    "invitation",
    "new_device",
    "second_factor_changed",
    "budget_used_up",
    "api_changes",
]
MAX_AN_HOUR = 5  # of one kind, to one address
_encode = msgspec.json.Encoder().encode


def encrypted_link(secret_box: SecretBox, path: str) -> dict[str, str]:
    """For the data of a mail: a path with a secret in it is encrypted while the mail waits."""
    return encrypt_values(secret_box, {"link": path})


async def send_account_mail(conn: Connection, kind: Kind, to: Person, data: Mapping[str, str]) -> None:
    message = {"kind": kind, "email": to.email, "name": to.name, "language": to.language, "data": data}
    await conn.execute("SELECT queue_account_message($1::jsonb)", _encode(message).decode())


async def may_send(conn: Connection, kind: Kind, email: str) -> bool:
    """Limits the mails to one address, so that repeated requests cannot fill a mailbox."""
    allowed: bool = await conn.fetchval(
        """
        SELECT count(*) < $3 FROM account_messages
        WHERE created_at > pg_catalog.now() - interval '1 hour' AND email = $1 AND kind = $2
        """,
        email,
        kind,
        MAX_AN_HOUR,
    )
    return allowed
