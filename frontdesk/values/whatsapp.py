"""Links that open WhatsApp. They need no gateway: the person who presses one sends the message."""

from urllib.parse import urlencode

from frontdesk.values.phones import digits_of, is_mobile


def whatsapp_link(phone: str | None, text: str = "") -> str | None:
    """A chat with a number, with a text that is ready to be sent. A landline has none."""
    if phone is None or not is_mobile(phone):
        return None
    return f"https://wa.me/{digits_of(phone)}{_query(text)}"


def share_link(text: str) -> str:
    """The person chooses to whom the text is sent."""
    return f"https://wa.me/{_query(text)}"


def _query(text: str) -> str:
    return f"?{urlencode({'text': text})}" if text else ""
