"""Messages to people with an account, for the operator: what became of them, and those that no mail server sends."""

from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.activity.operator_acts import About
from frontdesk.http.responses import Response
from frontdesk.messages.compose import compose
from frontdesk.messages.content_queries import find_account_content
from frontdesk.messages.log_queries import find_account_message, list_account_messages
from frontdesk.problems import not_found
from frontdesk.ui.components.message_labels import KINDS, state_of
from frontdesk.ui.operator.recorded import record_act
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time

pages = Pages()
_PATH = "/operator/messages"
_PER_PAGE = 50


class MessagesQuery(msgspec.Struct):
    before: datetime | None = None


@pages.get(_PATH, OPERATORS)
async def show_account_messages(context: PageContext, query: MessagesQuery) -> Response:
    listed = await context.call(list_account_messages, query.before, _PER_PAGE + 1)
    return context.render(
        "operator_messages.html",
        messages=listed[:_PER_PAGE],
        older=listed[_PER_PAGE - 1].created_at.isoformat() if len(listed) > _PER_PAGE else None,
        kinds=KINDS,
        state_of=state_of,
        has_server=context.request.resources.settings.smtp is not None,
    )


@pages.get(f"{_PATH}/{{account_message_id}}", OPERATORS)
async def show_account_message(context: PageContext, account_message_id: UUID) -> Response:
    """A message that was not sent can be read here, with its link: it is recorded who read it."""
    async with context.connection() as conn:
        message = await find_account_message(conn, account_message_id)
        content = await find_account_content(conn, context.request.resources.secret_box, account_message_id)
        if message is None or content is None:
            raise not_found("message")
        is_open = message.state in ("due", "kept", "failed")
        if is_open:
            await record_act(context, conn, "message.read", About(subject=message.email))
    return context.render(
        "notice.html",
        message=message,
        mail=compose(content, context.request.origin, current_time()) if is_open else None,
        kinds=KINDS,
        state_of=state_of,
        back=_PATH,
        message_path=None,
        may_send_again=False,
    )
