"""A booking for the customer's calendar, and its place for a map."""

from datetime import UTC
from urllib.parse import quote, urlencode

from frontdesk.i18n.texts import N_
from frontdesk.icalendar.event import Event
from frontdesk.orders.types import Status
from frontdesk.scheduling.customer_booking import calendar_uid
from frontdesk.scheduling.customer_booking_queries import CustomerBooking, CustomerBookingBranch
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.components.menu_queries import MenuBranch
from frontdesk.values.time import get_zone
from frontdesk.values.whatsapp import share_link

_UTC = "%Y%m%dT%H%M%SZ"


def calendar_event(context: PublicContext, booking: CustomerBooking, url: str) -> Event:
    services = context.translate(N_(", ")).join(context.format.localized(service.names) for service in booking.services)
    summary = context.translate(N_("%(services)s at %(business)s"))
    number = context.translate(N_("Booking number %(number)s")) % {"number": booking.number}
    return Event(
        uid=calendar_uid(booking.id),
        sequence=booking.version,
        starts_at=booking.starts_at,
        ends_at=booking.ends_at,
        zone=get_zone(context.tenant.timezone),
        summary=summary % {"services": services, "business": context.business.name},
        changed_at=booking.changed_at,
        description=f"{number}\n{url}",
        location=booking.branch.address or booking.branch.name,
        status="CANCELLED" if booking.status is Status.CANCELED else "CONFIRMED",
        url=url,
    )


def google_link(event: Event) -> str:
    query = {
        "action": "TEMPLATE",
        "text": event.summary,
        "dates": "/".join(moment.astimezone(UTC).strftime(_UTC) for moment in (event.starts_at, event.ends_at)),
        "details": event.description or "",
        "location": event.location or "",
    }
    return f"https://calendar.google.com/calendar/render?{urlencode(query)}"


def outlook_link(event: Event) -> str:
    query = {
        "rru": "addevent",
        "subject": event.summary,
        "startdt": event.starts_at.astimezone(UTC).isoformat(),
        "enddt": event.ends_at.astimezone(UTC).isoformat(),
        "body": event.description or "",
        "location": event.location or "",
    }
    return f"https://outlook.live.com/calendar/0/deeplink/compose?{urlencode(query)}"


def map_link(branch: CustomerBookingBranch | MenuBranch) -> str | None:
    """The business's own link, else its place on a map, else its address."""
    if branch.location and branch.location.startswith("https://"):
        return branch.location
    place = f"{branch.latitude},{branch.longitude}" if branch.latitude is not None else branch.address
    return f"https://www.google.com/maps/search/?api=1&query={quote(place)}" if place else None


def to_phone_link(event: Event, moment: str) -> str:
    """Opens WhatsApp with the booking written out; the customer chooses to whom it is sent."""
    text = "\n".join((event.summary, moment, event.url or ""))
    return share_link(text)
