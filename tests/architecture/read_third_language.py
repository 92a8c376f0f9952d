"""Run by test_texts.py in a copy of the package that has a French catalog: what is written for people is French."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import msgspec

from frontdesk.i18n.languages import LANGUAGES, Language, choose_language, language_name, next_language
from frontdesk.invoices.page import render_page
from frontdesk.invoices.view import build_view
from frontdesk.messages.compose import compose
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.html_mail import write_html
from frontdesk.messages.plain_text import write_text
from frontdesk.messages.types import (
    ACCOUNT_KINDS,
    CUSTOMER_KINDS,
    MEMBER_KINDS,
    Appointment,
    BookedService,
    Business,
    Content,
    Message,
)
from frontdesk.ui.components.tenant_choices import language_choices
from frontdesk.values.ids import uuid7
from tests.invoices.samples import invoice_of

NOW = datetime(2027, 1, 5, 9, 30, tzinfo=UTC)
BUSINESS = Business("Layan", "layan", "Asia/Riyadh", "SAR", 2, ("fr", "en"), None, 24)
APPOINTMENT = Appointment(
    number=7,
    status="confirmed",
    version=1,
    changed_at=NOW,
    starts_at=NOW + timedelta(days=3),
    ends_at=NOW + timedelta(days=3, hours=1),
    services=(BookedService({"en": "Cut"}, "Huda"),),
    total=Decimal(100),
    paid=Decimal(),
    branch="Olaya",
    address="King Street 1",
    phone="+966501234567",
    map_url="https://maps.example/1",
    code="7QM2XV9KLR3T8W5N",
)
DATA = {"role": "owner", "change": "added", "changed_by": "customer", "others": 1, "device": "Chrome", "link": "/x"}


def mails() -> Iterator[ComposedMail]:
    for kind in (*CUSTOMER_KINDS, *ACCOUNT_KINDS, *MEMBER_KINDS):
        is_account = kind in ACCOUNT_KINDS
        message = Message(
            id=uuid7(),
            tenant_id=None if is_account else uuid7(),
            kind=kind,
            email="sara@example.com",
            name="Sara",
            language="fr",
            created_at=NOW,
            data=DATA,
        )
        content = Content(message) if is_account else Content(message, BUSINESS, appointment=APPOINTMENT)
        yield compose(content, "https://frontdesk.example", NOW)


def check_mail(composed: ComposedMail) -> None:
    said = [
        composed.subject,
        composed.heading,
        composed.opening,
        composed.preheader,
        composed.note,
        composed.footer[-1],
    ]
    labels = [*(fact.label for fact in composed.facts), *(button.label for button in composed.buttons)]
    assert [text for text in (*said, *labels) if text and "«" not in text] == [], composed
    assert composed.subject in write_text(composed)
    assert '<html lang="fr" dir="ltr">' in write_html(composed)


def check_invoice() -> None:
    view = build_view(invoice_of(2), "fr")
    labels = [
        *(fact.label for fact in view.facts),
        *(party.label for party in view.parties),
        *(total.label for total in view.sums),
    ]
    assert [text for text in (view.title, *view.columns, *labels) if "«" not in text] == []
    assert (view.other_language, "«" in view.other_title) == ("ar", False)
    assert '<html lang="fr" dir="ltr">' in render_page(invoice_of(2), "fr")


assert LANGUAGES == ("en", "ar", "fr")
assert [next_language(code) for code in LANGUAGES] == ["ar", "fr", "en"]
assert choose_language(None, "fr-CA, en;q=0.5") == "fr"
assert language_name("fr") == "français"
assert msgspec.convert("fr", Language) == "fr"
assert ("fr,en", "«français, then anglais»") in language_choices("fr")
for mail in mails():
    check_mail(mail)
check_invoice()
