"""The process that renders the PDF of a month; `monthly_file.py` starts it. Its input is the report as JSON."""

import sys

import msgspec

from frontdesk.invoices.fonts import MissingFont
from frontdesk.reports.monthly_pdf import render_month
from frontdesk.reports.monthly_types import MonthlyReport
from frontdesk.runtime.limited_process import apply_limits


def main() -> None:
    apply_limits()
    report = msgspec.json.decode(sys.stdin.buffer.read(), type=MonthlyReport)
    try:
        sys.stdout.buffer.write(render_month(report))
    except MissingFont as missing:
        sys.stdout.buffer.write(str(missing).encode())


if __name__ == "__main__":
    main()
