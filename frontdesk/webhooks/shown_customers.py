"""The customers that an event shows to whom it is sent."""

from collections import defaultdict
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from frontdesk.auth.customer_reads import NOBODY, ShownCustomers, ShownFields


class ShownCustomer(msgspec.Struct):
    """The part of a customer's published form that says what is shown."""

    id: UUID
    email: Any = UNSET


class ShownNote(msgspec.Struct):
    """The part of a note's published form that says about whom it is."""

    customer_id: UUID


class WithOrders(msgspec.Struct):
    """What is below it is shown with an order."""


class _Order(WithOrders):
    customer: ShownCustomer | None = None


class _Recipient(msgspec.Struct):
    customer_id: UUID | None = None


class _Message(msgspec.Struct):
    recipient: _Recipient | None = None


class ShownEventData(msgspec.Struct):
    order: _Order | None = None
    customer: ShownCustomer | None = None
    message: _Message | None = None


_decoder = msgspec.json.Decoder(ShownEventData)


def customers_in_event(data: str) -> ShownCustomers:
    """Of data as it is sent: a thin event shows nobody."""
    try:
        return collect_customers(_decoder.decode(data))
    except msgspec.ValidationError:  # data of another form
        return NOBODY


def collect_customers(value: object) -> ShownCustomers:
    shown: defaultdict[ShownFields, set[UUID]] = defaultdict(set)
    _collect(value, shown, in_order=False)
    return shown


def _collect(value: object, shown: defaultdict[ShownFields, set[UUID]], *, in_order: bool) -> None:
    if isinstance(value, ShownCustomer):
        if value.email is not UNSET or not in_order:
            shown[ShownFields.CONTACT].add(value.id)
        if in_order:
            shown[ShownFields.ORDERS].add(value.id)
    elif isinstance(value, ShownNote):
        shown[ShownFields.NOTES].add(value.customer_id)
    elif isinstance(value, _Recipient):
        if value.customer_id is not None:
            shown[ShownFields.CONTACT].add(value.customer_id)
            shown[ShownFields.ORDERS].add(value.customer_id)
    elif isinstance(value, list):
        for entry in value:
            _collect(entry, shown, in_order=in_order)
    elif isinstance(value, msgspec.Struct):
        in_order = in_order or isinstance(value, WithOrders)
        for name in value.__struct_fields__:
            _collect(getattr(value, name), shown, in_order=in_order)
