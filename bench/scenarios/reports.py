"""Reports of a whole year with 1,000,000 order lines, compared with the year before."""

from bench import bounds, requests
from bench.callers import LoadSpec
from bench.report import progress
from bench.results import Check, Result, Row, sample_of
from bench.run import Run
from bench.sales_of_years import FIRST_DAY, LAST_DAY, make_business
from bench.usage import cpu_seconds
from frontdesk.ui.reports.pages import REPORTS
from frontdesk.ui.reports.view import PATH

_ROUNDS = 3
_TIMEOUT = 60


def measure(run: Run) -> Result:
    """CPU time of the server and of the database, which is what a page takes on an idle machine."""
    business = run.prepare(lambda conn: make_business(conn, run.size.visits))
    progress(f"sums of two years: {business.item_rows:,} by item, {business.customer_rows:,} by customer")
    rows: list[Row] = []
    with run.service() as service:
        for path in (PATH, *(f"{PATH}/{name}" for name in REPORTS)):
            page = f"{path}?from={FIRST_DAY}&to={LAST_DAY}"
            sent = requests.page(page, f"frontdesk_session={business.session}")
            samples = []
            for _ in range(_ROUNDS + 1):
                before = cpu_seconds(service.pid), cpu_seconds(run.postmaster)
                outcome = run.callers.run(LoadSpec(service.port, 1, _TIMEOUT, [sent], once=True))
                used = cpu_seconds(service.pid) - before[0], cpu_seconds(run.postmaster) - before[1]
                samples.append(sample_of(outcome.times, outcome.seconds, *used))
            rows.append(Row(f"dashboard: {path}, a year", 1, "service", samples[1:], 1, None))
            progress(f"{path}: {rows[-1].sample.total_cpu:.0f} ms of CPU time")
    slowest = max(rows, key=lambda row: row.sample.total_cpu)
    name = f"seconds of CPU time of the slowest report of a year ({slowest.call.split()[1].rstrip(',')})"
    return Result(rows, [Check(name, slowest.sample.total_cpu / 1000, bounds.REPORTS_CPU_SECONDS)])
