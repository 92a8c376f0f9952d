"""The guide's table of who may do what is the one on the handlers' lines."""

from pathlib import Path

import frontdesk
from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard

GUIDE = Path(frontdesk.__file__).parent / "docs_site" / "guides" / "dashboard.md"
ACTS = {
    "see orders, invoices and credit notes": {
        "GET /orders",
        "GET /orders/{order_id}",
        "GET /orders/{order_id}/invoice",
        "GET /orders/{order_id}/credit-note",
        "GET /orders/{order_id}/trace",
    },
    "change the status": {"POST /orders/{order_id}/status"},
    "cancel, also a series": {
        "GET /orders/{order_id}/cancel",
        "POST /orders/{order_id}/cancel",
        "POST /orders/{order_id}/give-up",
        "GET /orders/{order_id}/series/cancel",
        "POST /orders/{order_id}/series/cancel",
    },
    "move": {
        f"{method} /orders/{{order_id}}/move{undo}" for method, undo in (("GET", ""), ("POST", ""), ("POST", "/undo"))
    },
    "move to a time that is not free, others than owners and managers with a PIN": {
        "POST /orders/{order_id}/move/anyway"
    },
    "change the lines": {"GET /orders/{order_id}/edit", "POST /orders/{order_id}/edit"},
    "act on several orders": {"POST /orders/bulk", "POST /orders/bulk/run"},
    "save a view of the list": {
        "GET /orders/views/new",
        "POST /orders/views/new",
        "POST /orders/views/{view_id}",
        "POST /orders/views/{view_id}/delete",
        "GET /orders/views/{view_id}/rename",
        "POST /orders/views/{view_id}/rename",
    },
    "record a payment": {"GET /orders/{order_id}/pay", "POST /orders/{order_id}/pay"},
    "make a link for the customer": {"POST /orders/{order_id}/link"},
    "print, share and mail a receipt": {
        "GET /orders/{order_id}/receipt",
        "POST /orders/{order_id}/receipt/link",
        "POST /orders/{order_id}/receipt/mail",
    },
    "issue an invoice": {  # the roles that may take the payment
        "GET /orders/{order_id}/invoice/issue",
        "POST /orders/{order_id}/invoice",
        "POST /orders/{order_id}/receipt/invoice",
    },
    "refund": {
        "GET /orders/{order_id}/refund",
        "GET /orders/{order_id}/refund/amount",
        "POST /orders/{order_id}/refund",
    },
    "void the own last sale, others than owners and managers with a PIN": {"POST /orders/{order_id}/void"},
}


def documented_roles() -> dict[str, set[Role]]:
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in GUIDE.read_text("utf-8").splitlines()]
    start = next(place for place, cells in enumerate(lines) if cells[0] == "action")
    roles = [Role(cell) for cell in lines[start][1:]]
    rows = {cells[0]: cells[1:] for cells in lines[start + 2 :] if cells[0] in ACTS}
    return {
        act: {role for role, cell in zip(roles, cells, strict=True) if cell == "yes"} for act, cells in rows.items()
    }


def test_the_guide_says_who_may_do_what_to_an_order() -> None:
    pages = {f"{page.method} {page.path}": page.access.roles for page in dashboard().pages}
    assert set(documented_roles()) == set(ACTS)
    for act, roles in documented_roles().items():
        for name in ACTS[act]:
            assert pages[name] == frozenset(roles), name
    about_orders = {name for name in pages if name.split(" ")[1].startswith("/orders")}
    assert about_orders == set().union(*ACTS.values())
