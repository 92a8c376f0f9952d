"""Audit log of operator actions: who, what, on which record, in which request."""

import structlog

from frontdesk.ui.shell.context import PageContext

_log = structlog.get_logger("frontdesk.operator")


def log_act(context: PageContext, act: str, **details: object) -> None:
    texts = {name: str(value) for name, value in details.items()}
    _log.info("operator_act", act=act, operator=str(context.user.id), request_id=context.request.request_id, **texts)
