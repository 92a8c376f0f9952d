"""Writes the mail of a message: which sentences, facts and links it has, in the reader's language."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from frontdesk.i18n.texts import N_, NP_
from frontdesk.messages.composed_mail import Button, ComposedMail, Fact
from frontdesk.messages.mail_format import MailFormatter, build_ticket
from frontdesk.messages.mail_texts import (
    ACCOUNT_REASON,
    ACTORS,
    BOOKING_REASON,
    FACTOR_CHANGES,
    LINK_LABELS,
    REASONS,
    ROLES,
    mail_texts,
)
from frontdesk.messages.types import (
    BIRTHDAY_KIND,
    MEMBER_KINDS,
    ORDER_KINDS,
    REPORT_KIND,
    SECRET_KINDS,
    Appointment,
    Business,
    Content,
    Message,
)
from frontdesk.values.colours import readable_accent
from frontdesk.values.phones import spaced

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
# The name may be a link, entered by a person who books with the address of another: the mail would advertise the link.
_ADDRESS = re.compile(r"[/@:]|\w\.\w{2,}")
_SERVICE = "Frontdesk"
# By whether the customer canceled, and whether the branch has a telephone number.
_REFUNDS = {
    (True, True): N_("{business} will refund it. If it has not arrived after a few days, please call {phone}."),
    (True, False): N_("{business} will refund it."),
    (False, True): N_("For the refund of what you paid, please call {phone}."),
    (False, False): N_("For the refund of what you paid, please contact {business}."),
}
NOTIFICATION_SETTINGS = "/settings/account/notifications"
_REPORT_SETTINGS = "/reports#monthly"


def compose(content: Content, origin: str, now: datetime) -> ComposedMail:
    message, business = content.message, content.business
    formatter = MailFormatter(message.language, business, now)
    appointment = content.appointment
    values = _placeholder_values(content, appointment, formatter)
    texts = mail_texts(message.kind, formatter.language)
    custom = content.settings.custom_text(message.kind, formatter.language)
    note, phone = _note(message, business, appointment, formatter)
    stop_url = None
    if business and message.unsubscribe_token:
        stop_url = _in_language(f"{origin}/reminders/{business.slug}/{message.unsubscribe_token}", formatter)
    elif message.kind in MEMBER_KINDS:
        stop_url = origin + NOTIFICATION_SETTINGS
    elif message.kind == REPORT_KIND:
        stop_url = origin + _REPORT_SETTINGS
    return ComposedMail(
        language=formatter.language,
        sender=business.name if business else _SERVICE,
        accent=readable_accent(business.accent if business else None),
        subject=_one_line(fill(custom.subject or texts.subject, values)),
        preheader=_one_line(fill(texts.preheader, values)),
        heading=_one_line(fill(texts.heading, values)).rstrip(",، "),
        opening=fill(custom.opening or texts.opening, values),
        code=message.value("code") if message.kind in SECRET_KINDS else None,
        ticket=build_ticket(appointment, formatter) if appointment and message.kind != "receipt" else None,
        words=fill(custom.words, values) or None,
        facts=tuple(_facts(message, appointment, origin, formatter)),
        buttons=tuple(_buttons(message, business, appointment, origin, formatter)),
        note=note or (None if message.kind == REPORT_KIND and content.attachment is None else texts.note or None),
        phone=phone,
        footer=tuple(_footer(message, business, appointment, formatter)),
        stop_label=formatter.translate(_stop_label(message.kind)) if stop_url else None,
        stop_url=stop_url,
    )


def _stop_label(kind: str) -> str:
    if kind in MEMBER_KINDS:
        return N_("Choose which mails you get")
    if kind == REPORT_KIND:
        return N_("Stop this mail")
    return N_("No more news") if kind == BIRTHDAY_KIND else N_("No more reminders")


def fill(template: str, values: Mapping[str, str]) -> str:
    """What is not a placeholder stays as it is."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)


def unknown_placeholders(template: str, known: tuple[str, ...]) -> list[str]:
    """With their braces, also one that is not closed."""
    return [found for found in re.findall(r"\{[^{}\s]*\}?", template) if found[1:-1] not in known or found[-1] != "}"]


def _placeholder_values(content: Content, appointment: Appointment | None, formatter: MailFormatter) -> dict[str, str]:
    message = content.message
    customer = message.value("customer") or formatter.translate(N_("Walk-in"))
    role, change = message.value("role"), message.value("change")
    values = {
        "name": _safe_name(message.name or ""),
        "customer": _safe_name(customer) or formatter.translate(N_("Walk-in")),
        "business": message.value("business_name") or (content.business.name if content.business else _SERVICE),
        "role": formatter.translate(ROLES[role]) if role else "",
        "change": formatter.translate(FACTOR_CHANGES[change]) if change else "",
        "branch": appointment.branch if appointment else "",
        "number": str(appointment.number) if appointment else "",
        "service": "",
        "provider": "",
        "month": message.value("month") or "",
        "summary": message.value("summary") or "",
        **{name: message.value(name) or "" for name in ("application", "allowed", "scope")},
    }
    if appointment and appointment.starts_at:
        values |= formatter.moment(appointment.starts_at)
        values["service"] = formatter.join([formatter.service(service) for service in appointment.services])
        values["provider"] = formatter.join(list(dict.fromkeys(service.provider for service in appointment.services)))
    return values


def _safe_name(name: str) -> str:
    return "" if _ADDRESS.search(name) else _one_line(name)


def _facts(message: Message, appointment: Appointment | None, origin: str, formatter: MailFormatter) -> list[Fact]:
    is_order = message.kind in ORDER_KINDS
    facts = []
    if appointment and message.kind != "receipt" and appointment.address:
        link = appointment.map_url
        facts.append(
            Fact(
                formatter.translate(N_("Where")),
                appointment.address,
                link,
                formatter.translate(N_("Directions")) if link else None,
            )
        )
    figures = message.data.get("figures")
    if isinstance(figures, tuple):
        facts += [Fact(label, value) for label, value in figures]
    for fact in msgspec.convert(message.data.get("facts", ()), tuple[Fact, ...]):
        link = _in_language(f"{origin}{fact.link}", formatter) if fact.link else None
        facts.append(msgspec.structs.replace(fact, link=link))
    if message.kind in MEMBER_KINDS:
        facts += _booking_facts(message, formatter)
    if appointment and is_order and appointment.also:
        times = "\n".join(formatter.short(date.starts_at) for date in appointment.also)
        facts.append(Fact(formatter.translate(N_("Also on")), times))
    if appointment and is_order and message.kind != "cancellation" and appointment.total > appointment.paid:
        if appointment.deposit:
            facts.append(Fact(formatter.translate(N_("Deposit to pay before")), formatter.price(appointment.deposit)))
            facts.append(Fact(formatter.translate(N_("How to pay")), _how_to_pay(appointment, formatter)))
        facts.append(
            Fact(
                formatter.translate(N_("To pay in all") if appointment.deposit else N_("To pay on site")),
                formatter.price(appointment.total - appointment.paid),
            )
        )
    if appointment and message.kind == "cancellation" and appointment.to_refund > 0:
        label = N_("Paid, to be refunded") if appointment.canceled_by_customer else NP_("mail", "Paid")
        facts.append(Fact(formatter.translate(label), formatter.price(appointment.to_refund)))
    if appointment and message.kind == "cancellation" and appointment.refunded:
        facts.append(Fact(formatter.translate(NP_("mail", "Refunded")), formatter.price(appointment.refunded)))
    if appointment and message.kind == "receipt":
        facts.append(Fact(formatter.translate(N_("Total")), formatter.price(appointment.total)))
    if appointment and appointment.number and message.kind != "waiting_list_offer":
        label = N_("Receipt") if message.kind == "receipt" else N_("Booking number")
        facts.append(Fact(formatter.translate(label), str(appointment.number), is_number=True))
    facts += [
        Fact(formatter.translate(label), value, is_number=key == "address")
        for key, label in (("device", N_("Device")), ("address", N_("Address")))
        if message.tenant_id is None and (value := message.value(key))
    ]
    if message.kind in ("new_device", "password_changed", "email_changed", "second_factor_changed"):
        facts.append(Fact(formatter.translate(N_("Time")), f"{message.created_at:%Y-%m-%d %H:%M} UTC", is_number=True))
    return facts


def _booking_facts(message: Message, formatter: MailFormatter) -> list[Fact]:
    previous, others = message.data.get("previous_start"), message.value("others")
    facts = (
        [Fact(formatter.translate(NP_("mail", "Before")), formatter.short(previous))]
        if isinstance(previous, datetime)
        else []
    )
    if others:
        facts.append(
            Fact(
                formatter.translate(N_("Also on")),
                formatter.ngettext("{num} more date", "{num} more dates", int(others)),
            )
        )
    return [
        *facts,
        Fact(
            formatter.translate(NP_("mail", "Done by")), formatter.translate(ACTORS[message.value("changed_by") or ""])
        ),
    ]


def _how_to_pay(appointment: Appointment, formatter: MailFormatter) -> str:
    if appointment.payment:
        return formatter.localized(appointment.payment)
    if appointment.phone:
        return formatter.translate(N_("Please call {phone}."), phone=formatter.isolate(spaced(appointment.phone)))
    return formatter.translate(N_("Please contact {business}."), business=formatter.business_name)


def _buttons(
    message: Message, business: Business | None, appointment: Appointment | None, origin: str, formatter: MailFormatter
) -> list[Button]:
    page = f"{origin}/book/{business.slug}" if business and business.slug else None
    # The same services with the same people.
    again = f"{page}/{appointment.code}/again" if page and appointment and appointment.code else None
    link = message.value("link")
    if link:
        label = formatter.translate(LINK_LABELS.get(message.kind, N_("See the booking")))
        buttons = [Button(label, _in_language(f"{origin}{link}", formatter))]
        if message.kind == "receipt" and again:
            buttons.append(Button(formatter.translate(N_("Book the same again")), _in_language(again, formatter)))
        return buttons
    if message.kind == "waiting_list_offer" and page:
        return [
            Button(
                formatter.translate(N_("Book this time")),
                _in_language(page + (message.value("choice") or ""), formatter),
            )
        ]
    if message.kind == BIRTHDAY_KIND and page:
        return [Button(formatter.translate(N_("Book a visit")), _in_language(page, formatter))]
    if message.kind == "cancellation" and page:
        return [Button(formatter.translate(NP_("mail", "Book another time")), _in_language(again or page, formatter))]
    if message.kind in ORDER_KINDS and page and appointment and appointment.code:
        own = f"{page}/{appointment.code}"
        is_open = _limit(business, appointment) > formatter.now if business else False
        return [
            Button(
                formatter.translate(N_("Move or cancel") if is_open else N_("See the booking")),
                _in_language(own, formatter),
            ),
            Button(formatter.translate(N_("Add to calendar")), f"{own}/calendar.ics"),
        ]
    return []


def _in_language(url: str, formatter: MailFormatter) -> str:
    """The page in the language of the mail, whatever the browser prefers."""
    return f"{url}{'&' if '?' in url else '?'}lang={formatter.language}"


def _limit(business: Business, appointment: Appointment) -> datetime:
    """Until when customers may move or cancel themselves."""
    if appointment.starts_at is None:
        return datetime.max.replace(tzinfo=appointment.changed_at.tzinfo)
    return appointment.starts_at - timedelta(hours=business.cancellation_hours)


def _note(
    message: Message, business: Business | None, appointment: Appointment | None, formatter: MailFormatter
) -> tuple[str | None, str | None]:
    """Until when the booking can be changed or who refunds what was paid, and the telephone number in that sentence."""
    if business and appointment and message.kind == "cancellation" and appointment.to_refund > 0:
        phone = spaced(appointment.phone) if appointment.phone else None
        text = _REFUNDS[appointment.canceled_by_customer, phone is not None]
        return formatter.translate(text, business=business.name, phone=formatter.isolate(phone or "")), phone
    if business is None or appointment is None or message.kind not in ("confirmation", "change", "reminder"):
        return None, None
    limit = _limit(business, appointment)
    is_open = limit > formatter.now
    ended = (
        N_("The free time to cancel ended {limit}.")
        if message.kind == "reminder"
        else N_("This time is too soon to be moved or canceled online.")
    )
    sentence = formatter.translate(
        N_("Free to move or cancel until {limit}.") if is_open else ended, limit=formatter.limit(limit)
    )
    if appointment.phone is None:
        return sentence, None
    phone = spaced(appointment.phone)
    call = formatter.translate(
        N_("After that, please call {phone}.") if is_open else N_("For changes, please call {phone}."),
        phone=formatter.isolate(phone),
    )
    return f"{sentence} {call}", phone


def _footer(
    message: Message, business: Business | None, appointment: Appointment | None, formatter: MailFormatter
) -> list[str]:
    if business is None:
        return [_SERVICE, formatter.translate(REASONS.get(message.kind, ACCOUNT_REASON))]
    sender = formatter.join([business.name, *([appointment.address] if appointment and appointment.address else [])])
    return [sender, formatter.translate(REASONS.get(message.kind, BOOKING_REASON))]


def _one_line(text: str) -> str:
    return " ".join(text.split())
