"""The health of the service: database, delivery queue, and recent failures."""

import platform
from time import perf_counter

from frontdesk import __version__
from frontdesk.auth.request_log_queries import list_failed_requests
from frontdesk.http.responses import Response
from frontdesk.postgres.health import get_database_health, list_applied_migrations
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.webhooks.monitoring_queries import get_queue_depth, list_deepest_queues, list_last_failures

pages = Pages()
_MAX_ROWS = 10


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
    )
