"""The customers that an event shows to whom it is sent."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from frontdesk.auth.customer_reads import ShownCustomers, ShownFields


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
        return set(collect_customers(_decoder.decode(data), in_order=False))
    except msgspec.ValidationError:  # data of another form
        return ()


def collect_customers(value: object, *, in_order: bool) -> Iterator[tuple[UUID, ShownFields]]:
    if isinstance(value, ShownCustomer):
        if value.email is not UNSET or not in_order:
            yield value.id, ShownFields.CONTACT
        if in_order:
            yield value.id, ShownFields.ORDERS
    elif isinstance(value, ShownNote):
        yield value.customer_id, ShownFields.NOTES
    elif isinstance(value, _Recipient):
        if value.customer_id is not None:
            yield from ((value.customer_id, fields) for fields in (ShownFields.CONTACT, ShownFields.ORDERS))
    elif isinstance(value, list):
        for entry in value:
            yield from collect_customers(entry, in_order=in_order)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from collect_customers(getattr(value, name), in_order=in_order or isinstance(value, WithOrders))
