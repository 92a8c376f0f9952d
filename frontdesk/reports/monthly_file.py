"""The PDF of a month, for the page of reports and for the mail."""

import msgspec

from frontdesk.invoices.files import run_pdf_process
from frontdesk.reports.monthly_types import MonthlyReport


async def draw_month(report: MonthlyReport) -> bytes:
    return await run_pdf_process("frontdesk.reports.pdf_process", msgspec.json.encode(report))


def file_name(report: MonthlyReport) -> str:
    return f"reports-{report.first:%Y-%m}.pdf"
