"""The process that renders one PDF; `files.py` starts it.

The PDF library is slow and large: in the server it would make all requests wait, and take a quarter of its memory. The
input is the invoice as JSON. The output is the PDF, or what is missing for it.
"""

import sys

import msgspec

from frontdesk.invoices.fonts import MissingFont
from frontdesk.invoices.pdf import render_pdf
from frontdesk.invoices.types import PdfRequest
from frontdesk.runtime.limited_process import apply_limits


def main() -> None:
    apply_limits()
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=PdfRequest)
    try:
        sys.stdout.buffer.write(render_pdf(request.invoice, request.language))
    except MissingFont as missing:
        sys.stdout.buffer.write(str(missing).encode())


if __name__ == "__main__":
    main()
