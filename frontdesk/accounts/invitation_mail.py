"""The mail with the link of an invitation. The page shows a link too, because mail may not be set up.

The mailed link has a proof that the page does not show: only the owner of the mailbox can open it.
"""

from frontdesk.accounts.account_mail import encrypted_link, may_send, send_account_mail
from frontdesk.accounts.user_queries import find_account, find_person
from frontdesk.auth.types import Person, Role
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.security.encrypted_token import encrypt_token
from frontdesk.security.encryption import SecretBox
from frontdesk.security.secrets import hash_secret
from frontdesk.values.ids import uuid7

MAILED = "mailed invitation"


async def mail_invitation(
    conn: Connection, secret_box: SecretBox, token: str, email: str, role: Role, *, business: str, language: str
) -> bool:
    """False if this address has got enough of them for now. `language`: for who has no account yet."""
    to = canonical_email(email)
    if not await may_send(conn, "invitation", to):
        return False
    account = await find_account(conn, to)
    known = await find_person(conn, account.id) if account and account.is_proven else None
    person = known or Person(uuid7(), to, "", language)
    proof = encrypt_token(secret_box, MAILED, hash_secret(token))
    link = encrypted_link(secret_box, f"/invitation?token={token}&proof={proof}")
    await send_account_mail(conn, "invitation", person, {"business_name": business, "role": role.value, **link})
    return True
