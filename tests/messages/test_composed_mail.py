"""What a mail about a booking says, and the invitations in it, read with the parsers of other people."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from uuid import uuid4

import icalendar
from msgspec import structs

from frontdesk.messages.compose import compose
from frontdesk.messages.mail import write_mail
from frontdesk.messages.plain_text import write_text
from frontdesk.messages.types import Appointment, BookedService, Business, Content, Message, OtherDate

NOW = datetime(2026, 11, 15, 9, 0, tzinfo=UTC)
START = datetime(2026, 11, 17, 13, 15, tzinfo=UTC)
BUSINESS = Business("Layan Studio", "layan", "Asia/Riyadh", "SAR", 2, ("en", "ar"), None, 24)
SERVICES = (
    BookedService({"en": "Cut", "ar": "قص"}, "Reem", ({"en": "Long hair", "ar": "شعر طويل"},)),
    BookedService({"en": "Colour", "ar": "صبغة"}, "Reem"),
    BookedService({"en": "Manicure", "ar": "مانيكير"}, "Noura"),
)


def content(kind: str, language: str, name: str, *, weeks: int = 0, **more: Any) -> Content:
    message = Message(uuid4(), uuid4(), kind, "a@b.example", name, language, NOW, order_id=uuid4())
    dates = [START + timedelta(weeks=week) for week in range(1, weeks + 1)]
    appointment = Appointment(
        number=1049,
        status="confirmed",
        version=3,
        changed_at=NOW,
        starts_at=START,
        ends_at=START + timedelta(hours=2),
        services=SERVICES,
        total=Decimal(420),
        paid=Decimal(),
        branch="Olaya",
        address=None,
        phone="+966112154470",
        map_url=None,
        code="7QM2XV9KLR3T8W5N",
        also=tuple(OtherDate(uuid4(), 1, NOW, date, None, f"CODE{date:%m%d}") for date in dates),
    )
    appointment = structs.replace(appointment, **more)
    return Content(message, BUSINESS, appointment=appointment)


def sent(content_: Content) -> EmailMessage:
    mail = write_mail(content_, compose(content_, "https://desk.test", NOW), sender="mail@desk.test", now=NOW)
    received = message_from_bytes(mail.as_bytes(), policy=default)
    assert isinstance(received, EmailMessage)
    return received


def invitations(mail: EmailMessage) -> list[Any]:
    found = [part.get_content() for part in mail.walk() if part.get_content_subtype() == "calendar"]
    return [event for text in found for event in icalendar.Calendar.from_ical(text).walk("VEVENT")]


def test_mail_names_services_with_options_and_the_customer() -> None:
    content_ = content("confirmation", "en", "Dr Sara Al-Otaibi")
    composed = compose(content_, "https://desk.test", NOW)
    assert composed.heading == "See you on Tuesday, Dr Sara Al-Otaibi"
    text = write_text(composed)
    assert "  Cut (Long hair)\n  Colour\n  with Reem\n  Manicure\n  with Noura\n" in text
    (event,) = invitations(sent(content_))
    assert str(event["SUMMARY"]) == "Layan Studio: Cut (Long hair), Colour, Manicure"


def test_the_telephone_number_is_spaced_and_can_be_called() -> None:
    body = sent(content("confirmation", "en", "Sara")).get_body(("html",))
    assert body is not None
    assert 'href="tel:+966112154470"' in body.get_content()
    assert "+966 11 215 4470" in body.get_content()


def test_a_booking_that_repeats_has_an_invitation_for_each_date() -> None:
    content_ = content("confirmation", "en", "Sara", weeks=3)
    mail = sent(content_)
    events = invitations(mail)
    assert len({str(event["UID"]) for event in events}) == len(events) == 4
    assert [event.start for event in events] == [START + timedelta(weeks=week) for week in range(4)]
    assert "CODE1124" in str(events[1]["URL"])
    assert "Tue 24 Nov 16:15" in write_text(compose(content_, "https://desk.test", NOW))
    assert {str(event["STATUS"]) for event in invitations(sent(content("cancellation", "en", "Sara", weeks=2)))} == {
        "CANCELLED"
    }


def test_a_mail_says_its_language_and_its_links_lead_to_pages_in_it() -> None:
    content_ = content("confirmation", "ar", "أبو عبد الله")
    assert sent(content_)["Content-Language"] == "ar"
    composed = compose(content_, "https://desk.test", NOW)
    assert composed.buttons[0].url == "https://desk.test/book/layan/7QM2XV9KLR3T8W5N?lang=ar"
    assert composed.heading.endswith("أبو عبد الله")


def text_of(kind: str, language: str = "en", **more: Any) -> str:
    return " ".join(write_text(compose(content(kind, language, "Sara", **more), "https://desk.test", NOW)).split())


def test_a_cancellation_says_what_happens_with_the_money_that_was_paid() -> None:
    nothing = text_of("cancellation")
    assert "Paid" not in nothing
    assert "refund" not in nothing
    own = text_of("cancellation", to_refund=Decimal(84), canceled_by_customer=True)
    assert "Paid, to be refunded: SAR 84.00" in own
    assert "Layan Studio will refund it. If it has not arrived after a few days, please call +966 11 215 4470." in own
    theirs = text_of("cancellation", to_refund=Decimal(84))
    assert "Paid: SAR 84.00" in theirs
    assert "For the refund of what you paid, please call +966 11 215 4470." in theirs
    assert "please contact Layan Studio" in text_of("cancellation", to_refund=Decimal(84), phone=None)
    done = text_of("cancellation", refunded=Decimal(84))
    assert "Refunded: SAR 84.00" in done
    assert "please call" not in done
    assert "المدفوع، وسيُرد" in text_of("cancellation", "ar", to_refund=Decimal(84), canceled_by_customer=True)


def test_a_deposit_is_asked_for_with_how_to_pay_it() -> None:
    told = text_of("confirmation", deposit=Decimal(84), payment={"en": "By transfer to SA03."})
    assert "How to pay: By transfer to SA03." in told
    assert "How to pay: Please call +966 11 215 4470." in text_of("confirmation", deposit=Decimal(84))
    assert "How to pay: Please contact Layan Studio." in text_of("confirmation", deposit=Decimal(84), phone=None)


def test_a_cancellation_leads_to_other_times_of_the_same_services() -> None:
    again = "https://desk.test/book/layan/7QM2XV9KLR3T8W5N/again?lang=en"
    assert [
        button.url for button in compose(content("cancellation", "en", "Sara"), "https://desk.test", NOW).buttons
    ] == [again]
