"""The HTML part of a mail: tables and inline styles, because many mail programs know nothing else."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from frontdesk.i18n.languages import is_right_to_left
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.values.colours import light_accent

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined
)


def write_html(composed: ComposedMail, *, is_canceled: bool = False) -> str:
    return _ENVIRONMENT.get_template("mail.html").render(
        mail=composed,
        lines=_lines,
        note=_note(composed),
        light_accent=light_accent(composed.accent),
        is_canceled=is_canceled,
        is_right_to_left=is_right_to_left(composed.language),
    )


def _lines(text: str) -> Markup:
    return Markup("<br>").join(text.split("\n"))


def _note(composed: ComposedMail) -> Markup:
    """The telephone number in it is a link."""
    note = composed.note or ""
    if composed.phone is None:
        return escape(note)
    isolated = f"\N{LEFT-TO-RIGHT ISOLATE}{composed.phone}\N{POP DIRECTIONAL ISOLATE}"
    before, _, after = note.partition(isolated if isolated in note else composed.phone)
    link = Markup('<a href="tel:{}" class="lk" style="color:{};white-space:nowrap" dir="ltr">{}</a>').format(
        "".join(composed.phone.split()), composed.accent, composed.phone
    )
    return escape(before) + link + escape(after)
