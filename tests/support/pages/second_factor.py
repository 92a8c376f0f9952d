"""The phone with the authenticator app, and the mailbox of a user."""

import html
import re
import time
from typing import Any
from uuid import UUID

import pyotp

from frontdesk.accounts.one_time_codes import STEP_SECONDS
from frontdesk.messages.secret_data import decrypt_values
from frontdesk.security.encryption import SecretBox
from tests.support.dashboard import DashboardClient
from tests.support.service import SECRET_KEYS
from tests.support.shop import Shop

APP = "/settings/account/second-factor/app"


class Phone:
    def __init__(self, secret: str) -> None:
        self._app = pyotp.TOTP(secret)
        self._step = int(time.time()) // STEP_SECONDS

    def code(self, *, steps: int = 0) -> str:
        """The code of when it was set up, or of some half minutes later."""
        return self._app.generate_otp(self._step + steps)


async def set_up_app(desk: DashboardClient) -> tuple[Phone, list[str]]:
    """Through the pages, as an operator does after the first sign-in: the app and the recovery codes."""
    phone, form = await app_form(desk)
    added = await desk.post(APP, form)
    assert added.status_code == 200, added.text
    return phone, _shown(added.text, r'<code id="recovery-codes">(.*?)</code>').split()


async def app_form(desk: DashboardClient) -> tuple[Phone, dict[str, str]]:
    """The app, and the form with its first code."""
    page = (await desk.get(APP)).text
    phone = Phone(_shown(page, r'<code id="app-secret">(.*?)</code>').replace(" ", ""))
    return phone, {"encrypted": _shown(page, r'name="encrypted" value="(.*?)"'), "code": phone.code(), "name": "Phone"}


def _shown(page: str, pattern: str) -> str:
    found = re.search(pattern, page, re.DOTALL)
    assert found, pattern
    return html.unescape(found[1])


async def forget_last_code(shop: Shop, user_id: UUID) -> None:
    """As if half minutes had passed since the last code."""
    await shop.sql(
        "UPDATE second_factors SET last_step = 0 WHERE user_id = $2 AND kind = 'app' AND $1::uuid IS NOT NULL", user_id
    )


async def mails(shop: Shop, email: str, kind: str) -> list[dict[str, Any]]:
    """Oldest first, with the link that they contain."""
    rows = await shop.sql(
        """
        SELECT data::text AS data, secret, language, name FROM account_messages
        WHERE email = $2 AND kind = $3 AND $1::uuid IS NOT NULL ORDER BY created_at, id
        """,
        email,
        kind,
    )
    box = SecretBox(SECRET_KEYS)
    return [{**dict(row), **(decrypt_values(box, row["secret"]) if row["secret"] else {})} for row in rows]
