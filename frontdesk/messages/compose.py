"""Writes the letter of a message: which sentences, facts and links it has, in the reader's language."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from frontdesk.messages.colours import readable_accent
from frontdesk.messages.letter import Button, Fact, Letter
from frontdesk.messages.moments import Wording, build_ticket
from frontdesk.messages.types import ORDER_KINDS, SECRET_KINDS, Appointment, Business, Content, Message
from frontdesk.messages.words import KIND_WORDS
from frontdesk.values.phones import spaced

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
# The name may be a link, entered by a person who books with the address of another: the mail would advertise the link.
_ADDRESS = re.compile(r"[/@:]|\w\.\w{2,}")
_SERVICE = "Frontdesk"
# The reason for a mail that is not about a booking.
_REASONS = {
    "reminder": "reminders_before",
    "contact_code": "why_code",
    "bookings_link": "why_link",
    "waiting_list_offer": "why_waiting",
    "receipt": "why_receipt",
    "invitation": "why_invitation",
}
# The button of messages that are about a link, and its label.
_LINK_LABELS = {
    "waiting_list_offer": "book_offer",
    "receipt": "open_receipt",
    "bookings_link": "see_bookings",
    "password_reset": "set_password",
    "email_verification": "confirm_address",
    "sign_up": "go_on",
    "account_exists": "sign_in",
    "invitation": "accept",
    "new_device": "end_session",
}


def compose(content: Content, origin: str, now: datetime) -> Letter:
    message, business = content.message, content.business
    wording = Wording(message.language, business, now)
    appointment = content.appointment
    values = _placeholder_values(content, appointment, wording)
    words = KIND_WORDS[message.kind][wording.language]
    own = content.settings.own_text(message.kind, wording.language)
    note, phone = _note(message, business, appointment, wording)
    stop_url = None
    if business and message.stop_code:
        stop_url = _in_language(f"{origin}/reminders/{business.slug}/{message.stop_code}", wording)
    return Letter(
        language=wording.language,
        sender=business.name if business else _SERVICE,
        accent=readable_accent(business.accent if business else None),
        subject=_one_line(fill(own.subject or words.subject, values)),
        preheader=_one_line(fill(words.preheader, values)),
        heading=_one_line(fill(words.heading, values)).rstrip(",، "),
        opening=fill(own.opening or words.opening, values),
        code=message.value("code") if message.kind in SECRET_KINDS else None,
        ticket=build_ticket(appointment, wording) if appointment and message.kind != "receipt" else None,
        words=fill(own.words, values) or None,
        facts=tuple(_facts(message, appointment, wording)),
        buttons=tuple(_buttons(message, business, appointment, origin, wording)),
        note=note or words.note or None,
        phone=phone,
        footer=tuple(_footer(message, business, appointment, wording)),
        stop_label=wording.phrase("stop") if stop_url else None,
        stop_url=stop_url,
    )


def fill(template: str, values: Mapping[str, str]) -> str:
    """What is not a placeholder stays as it is."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)


def unknown_placeholders(template: str, known: tuple[str, ...]) -> list[str]:
    """With their braces, also one that is not closed."""
    return [found for found in re.findall(r"\{[^{}\s]*\}?", template) if found[1:-1] not in known or found[-1] != "}"]


def _placeholder_values(content: Content, appointment: Appointment | None, wording: Wording) -> dict[str, str]:
    message = content.message
    name = "" if _ADDRESS.search(message.name or "") else _one_line(message.name or "")
    role, change = message.value("role"), message.value("change")
    values = {
        "name": name,
        "business": message.value("business_name") or (content.business.name if content.business else _SERVICE),
        "role": wording.phrase(role) if role else "",
        "change": wording.phrase(f"factor_{change}") if change else "",
        "branch": appointment.branch if appointment else "",
        "number": str(appointment.number) if appointment else "",
        "service": "",
        "provider": "",
    }
    if appointment and appointment.starts_at:
        values |= wording.moment(appointment.starts_at)
        values["service"] = wording.join([wording.service(service) for service in appointment.services])
        values["provider"] = wording.join(list(dict.fromkeys(each.provider for each in appointment.services)))
    return values


def _facts(message: Message, appointment: Appointment | None, wording: Wording) -> list[Fact]:
    is_order = message.kind in ORDER_KINDS
    facts = []
    if appointment and message.kind != "receipt" and appointment.address:
        link = appointment.map_url
        facts.append(
            Fact(wording.phrase("where"), appointment.address, link, wording.phrase("directions") if link else None)
        )
    if appointment and is_order and appointment.also:
        times = "\n".join(wording.short(date.starts_at) for date in appointment.also)
        facts.append(Fact(wording.phrase("also"), times))
    if appointment and is_order and message.kind != "cancellation" and appointment.total > appointment.paid:
        if appointment.deposit:
            facts.append(Fact(wording.phrase("deposit"), wording.price(appointment.deposit)))
            facts.append(Fact(wording.phrase("how_to_pay"), _how_to_pay(appointment, wording)))
        facts.append(
            Fact(
                wording.phrase("to_pay_in_all" if appointment.deposit else "to_pay"),
                wording.price(appointment.total - appointment.paid),
            )
        )
    if appointment and message.kind == "cancellation" and appointment.to_refund > 0:
        label = "paid_to_refund" if appointment.canceled_by_customer else "paid"
        facts.append(Fact(wording.phrase(label), wording.price(appointment.to_refund)))
    if appointment and message.kind == "cancellation" and appointment.refunded:
        facts.append(Fact(wording.phrase("refunded"), wording.price(appointment.refunded)))
    if appointment and message.kind == "receipt":
        facts.append(Fact(wording.phrase("total"), wording.price(appointment.total)))
    if appointment and appointment.number and message.kind != "waiting_list_offer":
        label = "receipt_number" if message.kind == "receipt" else "number"
        facts.append(Fact(wording.phrase(label), str(appointment.number), is_number=True))
    facts += [
        Fact(wording.phrase(key), value, is_number=key == "address")
        for key in ("device", "address")
        if message.tenant_id is None and (value := message.value(key))
    ]
    if message.kind in ("new_device", "password_changed", "email_changed", "second_factor_changed"):
        facts.append(Fact(wording.phrase("time"), f"{message.created_at:%Y-%m-%d %H:%M} UTC", is_number=True))
    return facts


def _how_to_pay(appointment: Appointment, wording: Wording) -> str:
    if appointment.payment:
        return wording.localized(appointment.payment)
    if appointment.phone:
        return wording.phrase("pay_call").format(phone=wording.isolate(spaced(appointment.phone)))
    return wording.phrase("pay_contact").format(business=wording.business_name)


def _buttons(
    message: Message, business: Business | None, appointment: Appointment | None, origin: str, wording: Wording
) -> list[Button]:
    page = f"{origin}/book/{business.slug}" if business and business.slug else None
    link = message.value("link")
    if link:
        return [Button(wording.phrase(_LINK_LABELS.get(message.kind, "see")), _in_language(f"{origin}{link}", wording))]
    if message.kind == "waiting_list_offer" and page:
        return [Button(wording.phrase("book_offer"), _in_language(page + (message.value("choice") or ""), wording))]
    if message.kind == "cancellation" and page:
        return [Button(wording.phrase("book_again"), _in_language(page, wording))]
    if message.kind in ORDER_KINDS and page and appointment and appointment.code:
        own = f"{page}/{appointment.code}"
        is_open = _limit(business, appointment) > wording.now if business else False
        return [
            Button(wording.phrase("move_or_cancel" if is_open else "see"), _in_language(own, wording)),
            Button(wording.phrase("add_to_calendar"), f"{own}/calendar.ics"),
        ]
    return []


def _in_language(url: str, wording: Wording) -> str:
    """The page in the language of the mail, whatever the browser prefers."""
    return f"{url}{'&' if '?' in url else '?'}lang={wording.language}"


def _limit(business: Business, appointment: Appointment) -> datetime:
    """Until when customers may move or cancel themselves."""
    if appointment.starts_at is None:
        return datetime.max.replace(tzinfo=appointment.changed_at.tzinfo)
    return appointment.starts_at - timedelta(hours=business.cancellation_hours)


def _note(
    message: Message, business: Business | None, appointment: Appointment | None, wording: Wording
) -> tuple[str | None, str | None]:
    """Until when the booking can be changed or who refunds what was paid, and the telephone number in that sentence."""
    if business and appointment and message.kind == "cancellation" and appointment.to_refund > 0:
        phone = spaced(appointment.phone) if appointment.phone else None
        key = ("refund_coming" if appointment.canceled_by_customer else "refund") + ("_call" if phone else "")
        return wording.phrase(key).format(business=business.name, phone=wording.isolate(phone or "")), phone
    if business is None or appointment is None or message.kind not in ("confirmation", "change", "reminder"):
        return None, None
    limit = _limit(business, appointment)
    is_open = limit > wording.now
    ended = "free_ended" if message.kind == "reminder" else "too_soon"
    sentence = wording.phrase("free_until" if is_open else ended).format(limit=wording.limit(limit))
    if appointment.phone is None:
        return sentence, None
    phone = spaced(appointment.phone)
    call = wording.phrase("after_call" if is_open else "changes_call").format(phone=wording.isolate(phone))
    return f"{sentence} {call}", phone


def _footer(
    message: Message, business: Business | None, appointment: Appointment | None, wording: Wording
) -> list[str]:
    if business is None:
        return [_SERVICE, wording.phrase(_REASONS.get(message.kind, "why_account"))]
    place = wording.join([business.name, *([appointment.address] if appointment and appointment.address else [])])
    return [place, wording.phrase(_REASONS.get(message.kind, "why"))]


def _one_line(text: str) -> str:
    return " ".join(text.split())
