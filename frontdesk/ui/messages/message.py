"""One message: what it said, to whom, what became of it, and sending it again."""

from uuid import UUID

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.messages.compose import compose
from frontdesk.messages.composed_mail import ComposedMail
from frontdesk.messages.content_queries import find_content
from frontdesk.messages.html_mail import write_html
from frontdesk.messages.log_queries import ShownMessage, find_message
from frontdesk.messages.send import SendMessageAgain
from frontdesk.messages.types import SECRET_KINDS
from frontdesk.problems import not_found, or_not_found
from frontdesk.ui.components.message_labels import KINDS, state_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time

pages = Pages()
PATH = "/settings/notices/messages"
_MAIL_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@pages.get(PATH + "/{message_id}", RECEPTION)
async def show_message(context: PageContext, message_id: UUID) -> Response:
    shown, composed = await _find(context, message_id)
    is_secret = shown.logged.kind in SECRET_KINDS
    return context.render(
        "notice.html",
        message=shown.logged,
        mail=composed,
        kinds=KINDS,
        state_of=state_of,
        back="/settings/notices" if context.has_access(MANAGERS) else None,
        message_path=f"{PATH}/{message_id}",
        may_send_again=shown.logged.state != "due"
        and shown.logged.recipient is not None
        and (not is_secret or shown.has_secret),
    )


@pages.get(PATH + "/{message_id}/mail", RECEPTION)
async def show_mail(context: PageContext, message_id: UUID) -> Response:
    """The HTML of the mail. It contains no script, and none would run."""
    shown, composed = await _find(context, message_id)
    if composed is None:
        raise not_found("message")
    html = write_html(composed, is_canceled=shown.logged.kind == "cancellation")
    return Response(html.encode(), 200, _MAIL_HEADERS, "text/html; charset=utf-8")


@pages.post(PATH + "/{message_id}/again", RECEPTION, on_error=show_message)
async def send_again(context: PageContext, message_id: UUID) -> Response:
    await context.run(SendMessageAgain(message_id))
    return context.redirect(f"{PATH}/{message_id}", flash=N_("It is sent again."))


async def _find(context: PageContext, message_id: UUID) -> tuple[ShownMessage, ComposedMail | None]:
    """What was sent; for a message that was not sent, or whose words are a secret, what it would say now."""
    resources = context.request.resources
    async with context.connection() as conn:
        shown = or_not_found(await find_message(conn, context.tenant_id, message_id), "message")
        if shown.composed or (shown.logged.kind in SECRET_KINDS and not shown.has_secret):
            return shown, shown.composed
        content = await find_content(conn, resources.secret_box, context.tenant_id, message_id)
    if content is None or shown.logged.state not in ("due", "kept", "failed"):
        return shown, None
    return shown, compose(content, context.request.origin, current_time())
