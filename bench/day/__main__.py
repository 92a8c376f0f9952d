"""`python -m bench.day`: a day of many businesses, faster than it is. See bench/README.md."""

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import msgspec

from bench.day.report import report_lines
from bench.day.simulate import Size, simulate
from bench.report import progress
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.server.database import migrate_now


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.day", description=__doc__)
    parser.add_argument("--businesses", type=int, default=1000)
    parser.add_argument(
        "--orders", type=int, default=200, help="of each business, in the whole day; at least one of each kind"
    )
    parser.add_argument("--speed", type=float, default=60, help="how many seconds of the day pass in one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # stops the started processes and removes the folder
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-day-"))
    folder.chmod(0o755)
    database = EmbeddedPostgres(folder / "database")
    try:
        dsn = database.start()
        migrate_now(dsn)
        day = simulate(dsn, folder, Size(options.businesses, options.orders, options.speed))
        progress("done")
    finally:
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(report_lines(day)))
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(day), indent=2) + b"\n")
    sys.exit(0 if day.holds else 1)


if __name__ == "__main__":
    main()
