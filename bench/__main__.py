"""`python -m bench`: measures the service against two references, and against itself. See bench/README.md."""

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.processes import running_callers
from bench.report import progress, report_lines, write_json
from bench.results import Result
from bench.run import Run, postmaster_of
from bench.scenarios import (
    booking_page,
    busy_day,
    calendars,
    fairness,
    imports,
    list_pages,
    memory,
    open_pages,
    orders,
    other_calls,
    pages,
    people,
    processes,
    reads,
    reports,
    tenants,
    webhooks,
)
from bench.sizes import FULL, QUICK
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.server.database import migrate_now

SCENARIOS: dict[str, Callable[[Run], Result]] = {
    "reads": reads.measure,
    "orders": orders.measure,
    "tenants": tenants.measure,
    "processes": processes.measure,
    "other-calls": other_calls.measure,
    "calendars": calendars.measure,
    "busy-day": busy_day.measure,
    "booking-page": booking_page.measure,
    "list-pages": list_pages.measure,
    "memory": memory.measure,
    "fairness": fairness.measure,
    "import": imports.measure,
    "webhooks": webhooks.measure,
    "open-pages": open_pages.measure,
    "people": people.measure,
    "reports": reports.measure,
    "pages": pages.measure,  # last: a million rows make the others slower
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller data and shorter turns: about three minutes")
    parser.add_argument("--only", action="append", choices=SCENARIOS, help="run this scenario; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    options = parser.parse_args()
    if options.json and not options.json.parent.is_dir():
        parser.error(f"there is no folder {options.json.parent}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # stops the started processes and removes the folder
    results = _measure(options.only or list(SCENARIOS), quick=options.quick)
    print("\n".join(report_lines(results)))
    if options.json:
        write_json(options.json, results, "quick" if options.quick else "full")
    sys.exit(0 if all(check.passed for result in results.values() for check in result.checks) else 1)


def _measure(names: list[str], *, quick: bool) -> dict[str, Result]:
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-bench-"))
    folder.chmod(0o755)
    database, results = EmbeddedPostgres(folder / "database"), {}
    try:
        dsn = database.start()
        migrate_now(dsn)
        with running_callers() as callers:
            run = Run(dsn, folder, QUICK if quick else FULL, callers, postmaster_of(dsn))
            for number, name in enumerate(names, 1):
                progress(f"{name} ({number} of {len(names)})")
                results[name] = SCENARIOS[name](run)
        progress("done")
    finally:
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return results


if __name__ == "__main__":
    main()
