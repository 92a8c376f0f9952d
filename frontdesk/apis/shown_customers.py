"""The customers that a response shows, found by the published form of the response."""

from collections.abc import Callable, Mapping
from functools import partial
from types import GenericAlias
from typing import Any

import msgspec
import structlog
from msgspec import inspect

from frontdesk.auth.customer_reads import NOBODY, ShownCustomers
from frontdesk.customers.documents import CustomerNote
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.shown_customers import (
    ShownCustomer,
    ShownEventData,
    ShownNote,
    WithOrders,
    collect_customers,
)

_log = structlog.get_logger("frontdesk.request")
_CUSTOMER = {"id", "first_name", "last_name"}


class _ShownEvent(msgspec.Struct):
    data: ShownEventData


_SHOWN_OF: Mapping[type, type] = {Event: _ShownEvent, CustomerNote: ShownNote}


def customers_in(form: Any) -> Callable[[bytes], ShownCustomers] | None:  # noqa: ANN401 - a type of a response
    """Only the ids of the customers are decoded. None: there are no customers in this form."""
    shown = None if form is None else _part_with_customers(inspect.type_info(form), ())
    return None if shown is None else partial(_find, msgspec.json.Decoder(shown))


def _find(decoder: msgspec.json.Decoder[Any], body: bytes) -> ShownCustomers:
    try:
        return collect_customers(decoder.decode(body))
    except msgspec.ValidationError as failure:  # not a reason to refuse what was read
        _log.error("customers of a response not found", reason=str(failure))
        return NOBODY


def _part_with_customers(form: inspect.Type, within: tuple[type, ...]) -> Any:  # noqa: ANN401 - a type, or None
    """The form without everything that is no customer."""
    if isinstance(form, inspect.ListType):
        entry = _part_with_customers(form.item_type, within)
        return None if entry is None else GenericAlias(list, entry)
    if isinstance(form, inspect.UnionType):
        options = [_part_with_customers(option, within) for option in form.types]
        return next((option for option in options if option is not None), None)
    if not isinstance(form, inspect.StructType) or form.cls in within:
        return None
    if form.cls in _SHOWN_OF:
        return _SHOWN_OF[form.cls]
    names = {field.encode_name for field in form.fields}
    if names >= _CUSTOMER:
        return ShownCustomer
    parts = {field.encode_name: _part_with_customers(field.type, (*within, form.cls)) for field in form.fields}
    fields = [(name, part | None, None) for name, part in parts.items() if part is not None]
    bases = (WithOrders,) if "order_number" in names else None
    return msgspec.defstruct(form.cls.__name__, fields, bases=bases) if fields else None
