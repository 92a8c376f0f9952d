"""What operators do, in the console and on the command line. The transaction of an act records it too."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.activity.operator_act_queries import find_name, insert_operator_act
from frontdesk.postgres.pool import Connection


class Operator(NamedTuple):
    id: UUID | None  # a user; None: on the command line
    name: str
    address: str | None  # of the network, or the name of the machine


class About(NamedTuple):
    """What an act is about."""

    business: UUID | None = None
    user: UUID | None = None  # whose account
    application: UUID | None = None
    subject: str | None = None  # None: the name of the account, the application or the business
    detail: str | None = None


NOTHING = About()


async def record_operator_act(conn: Connection, operator: Operator, action: str, about: About = NOTHING) -> None:
    subject = about.subject or await find_name(conn, about.business, about.user, about.application)
    detail = (about.detail or "").strip() or None
    await insert_operator_act(conn, *operator, action, about.business, about.user, subject, detail)
