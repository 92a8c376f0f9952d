"""Every act of an operator is told in the log: who, what, about whom, in which request."""

import structlog

from frontdesk.ui.shell.context import Visit

_log = structlog.get_logger("frontdesk.operator")


def log_act(visit: Visit, act: str, **about: object) -> None:
    told = {name: str(value) for name, value in about.items()}
    _log.info("operator_act", act=act, operator=str(visit.person.id), request_id=visit.call.request_id, **told)
