"""The words of mail to people with an account: every kind and every change, in both languages."""

from datetime import UTC, datetime
from typing import get_args

import pytest

from frontdesk.accounts.account_mail import Kind
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.messages.compose import compose
from frontdesk.messages.types import ACCOUNT_KINDS, CUSTOMER_KINDS, Content, Message
from frontdesk.ui.components.message_labels import KINDS
from frontdesk.values.ids import uuid7

NOW = datetime(2027, 1, 5, 9, 30, tzinfo=UTC)
DATA = {
    "role": "cashier",
    "business_name": "Layan",
    "device": "Chrome, Linux",
    "address": "192.0.2.7",
    "application": "Books",
    "allowed": "200",
    "scope": "customers:read",
}
CHANGES = ("added", "removed", "removed_by_operator", "recovery_codes", "recovery_code_used")


def test_every_kind_of_the_queue_has_words() -> None:
    assert sorted(get_args(Kind)) == sorted(ACCOUNT_KINDS)
    assert sorted(KINDS) == sorted((*CUSTOMER_KINDS, *ACCOUNT_KINDS))


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("J.P. Saleh", "Your booking is canceled, J.P. Saleh"),
        ("prizes.example/win now", "Your booking is canceled"),
        ("prizes.example", "Your booking is canceled"),
    ],
)
def test_mail_does_not_greet_by_a_name_that_looks_like_a_link(name: str, heading: str) -> None:
    message = Message(uuid7(), None, "cancellation", "a@b.example", name, "en", NOW, {})
    assert compose(Content(message), "https://desk.example", NOW).heading == heading


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ACCOUNT_KINDS)
def test_account_mail_says_what_happened(kind: str, language: str) -> None:
    for change in CHANGES:
        data = {**DATA, "change": change}
        message = Message(uuid7(), None, kind, "a@b.example", "Huda Saleh", language, NOW, data, {"link": "/x?token=t"})
        composed = compose(Content(message), "https://desk.example", NOW)
        assert composed.opening
        assert "{" not in f"{composed.subject}{composed.heading}{composed.opening}{composed.preheader}{composed.note}"
        assert [button.url for button in composed.buttons] == [f"https://desk.example/x?token=t&lang={language}"]
