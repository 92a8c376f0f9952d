"""Every act of an operator is told in the log: who, what, about whom, in which request."""

import structlog

from frontdesk.ui.shell.context import PageContext

_log = structlog.get_logger("frontdesk.operator")


def log_act(context: PageContext, act: str, **about: object) -> None:
    told = {name: str(value) for name, value in about.items()}
    _log.info("operator_act", act=act, operator=str(context.user.id), request_id=context.request.request_id, **told)
