"""Fields of commission rates and cashiers."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_VERSION = FieldDoc("The `version` that was read. If the record has another one meanwhile, nothing changes (409).")
_RATE = {
    "staff_id": FieldDoc("Who earns it; null: all.", _ID),
    "item_id": FieldDoc("What it is earned with; null: everything.", _ID),
    "starts_on": FieldDoc("The first day of the rate. It counts until the next one for the same.", "2026-12-01"),
    "percent": FieldDoc("Share of the price without tax, in percent, with at most two decimals.", 12.5),
}
_CASHIER = {
    "name": FieldDoc("Name of the cashier.", "Huda"),
    "code": FieldDoc("What the cashier enters at the till; no secret, and unique.", "7"),
    "branch_id": FieldDoc("Branch whose till it is.", _ID),
}
_STATUS = FieldDoc("Whether they work here.", example=True)
_FIELDS = {
    "CommissionRateDocument": _RATE,
    "CommissionRateCreate": _RATE,
    "CommissionRateUpdate": {"starts_on": _RATE["starts_on"], "percent": _RATE["percent"], "version": _VERSION},
    "CashierOfBusiness": {**_CASHIER, "status": _STATUS},
    "CashierCreate": _CASHIER,
    "CashierUpdate": {**_CASHIER, "status": _STATUS, "version": _VERSION},
}
PAY_DOCS = {f"{kind}.{name}": doc for kind, fields in _FIELDS.items() for name, doc in fields.items()}
