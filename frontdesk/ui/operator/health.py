"""The health of the service: database, delivery queue, and recent failures."""

import platform
from time import perf_counter

from frontdesk import __version__
from frontdesk.auth.request_log_queries import list_failed_requests
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.health import get_database_health, list_applied_migrations
from frontdesk.postgres.sending import held_since, resume_sending
from frontdesk.postgres.supervise import failing_tasks
from frontdesk.ui.operator.recorded import recorded
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.webhooks.monitoring_queries import get_queue_depth, list_deepest_queues, list_last_failures

pages = Pages()
_MAX_ROWS = 10
_TASKS = {
    "webhooks": N_("Webhook deliveries"),
    "delivery notices": N_("Webhook deliveries"),
    "messages": N_("Messages"),
    "changes of the API": N_("Mail about changes of the API"),
    "calendars": N_("Calendars elsewhere"),
    "imports": N_("Imports"),
    "record exports": N_("Exports for API clients"),
    "clean-up": N_("Deleting what has expired"),
    "request log": N_("Request log"),
    "deletions": N_("Erasing deleted businesses"),
    "live pages": N_("Live pages"),
    "measurements": N_("Measurements for the metrics"),
}


@pages.get("/operator", OPERATORS)
async def show_operator(context: PageContext) -> Response:
    return context.redirect("/operator/health")


@pages.get("/operator/health", OPERATORS)
async def show_health(context: PageContext) -> Response:
    async with context.connection() as conn:
        start = perf_counter()
        database = await get_database_health(conn)
        milliseconds = (perf_counter() - start) * 1000
        migrations = await list_applied_migrations(conn)
        queue, queues = await get_queue_depth(conn), await list_deepest_queues(conn, _MAX_ROWS)
        failures = await list_last_failures(conn, _MAX_ROWS)
        requests = await list_failed_requests(conn, _MAX_ROWS)
        sending_held_since = await held_since(conn)
    return context.render(
        "operator_health.html",
        database=database,
        milliseconds=milliseconds,
        program=__version__,
        python=platform.python_version(),
        migrations=migrations,
        queue=queue,
        queues=queues,
        failures=failures,
        requests=requests,
        sending_held_since=sending_held_since,
        failing=[context.translate(_TASKS.get(name, name)) for name in failing_tasks()],
    )


@pages.post("/operator/health/sending", OPERATORS)
async def start_sending(context: PageContext) -> Response:
    """Of a restored copy, once it takes the place of the original."""
    async with recorded(context, "sending.resumed") as conn:
        await resume_sending(conn)
    return context.redirect("/operator/health", flash=N_("Mail and webhooks are sent now."))
