"""The question before an act that cannot be undone.

The script asks in a dialog and sends `sure` with the form. A browser that runs no script gets a page that asks.
"""

from typing import Literal

from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.csrf import CSRF_FIELD

Confirmed = Literal["yes"] | None  # the field `sure` of such a form: the question was answered


def ask_for_confirmation(context: PageContext, *, question: str, yes: str, no: str, back: str) -> Response:
    """A page that sends the same form again, and names what it does. `back` is the page that changes nothing."""
    sent = read_form(context.request.raw_body)
    fields = [(name, value) for name, values in sent.items() if name != CSRF_FIELD for value in values]
    return context.render("confirmation.html", question=question, yes=yes, no=no, back=back, fields=fields)
