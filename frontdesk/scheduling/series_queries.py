"""Reads the orders of a series."""

from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.orders.queries.order_state import STATE
from frontdesk.orders.types import OrderState
from frontdesk.postgres.query import Query, document, found, json_bytes


class SeriesOrder(NamedTuple):
    number: int
    state: OrderState


class Series(NamedTuple):
    """A series without its canceled orders, as seen from one of its orders, which is left in."""

    id: UUID
    every_weeks: int
    orders: list[SeriesOrder]  # by start
    number: int  # of the order, from 1 on

    @property
    def order(self) -> SeriesOrder:
        return self.orders[self.number - 1]

    @property
    def following(self) -> list[SeriesOrder]:
        return self.orders[self.number :]


def series_of(order_id: UUID) -> Query[Series]:
    """404 if the order does not exist, or does not repeat."""
    return Query(_SERIES, (order_id,), found("series", _series))


def published_series(order_id: UUID) -> Query[bytes]:
    """404 if the order does not exist, or does not repeat."""
    return Query(
        f"""
        SELECT {json_bytes("order_series_document($1, series_id)")} AS document
        FROM orders WHERE tenant_id = $1 AND id = $2 AND series_id IS NOT NULL
        """,
        (order_id,),
        document("series"),
    )


_SERIES = f"""
    SELECT $2::uuid AS order_id, r.id, r.every_weeks, (
        SELECT json_agg(row_to_json(x) ORDER BY x.starts_at, x.number)::text FROM (
            SELECT o.order_number AS number, {STATE} FROM orders o
            WHERE o.tenant_id = $1 AND o.series_id = r.id AND (o.status <> 'canceled' OR o.id = $2)) x) AS orders
    FROM orders s JOIN order_series r ON r.tenant_id = $1 AND r.id = s.series_id
    WHERE s.tenant_id = $1 AND s.id = $2"""
_ROWS = msgspec.json.Decoder(list[dict[str, Any]], float_hook=Decimal)


def _series(row: Record) -> Series:
    orders = [SeriesOrder(found["number"], _state(found)) for found in _ROWS.decode(row["orders"])]
    number = next(n for n, order in enumerate(orders, 1) if order.state.id == row["order_id"])
    return Series(row["id"], row["every_weeks"], orders, number)


def _state(found: dict[str, Any]) -> OrderState:
    return msgspec.convert([found[name] for name in OrderState._fields], OrderState, strict=False)
