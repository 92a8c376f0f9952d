"""Statements for the photos of customers and the consent to them."""

from datetime import date
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.customers.card_queries import Consent
from frontdesk.customers.queries import CustomerToChange, read_customer
from frontdesk.customers.types import PhotoShows
from frontdesk.postgres.query import Query, decoded, found


class Photo(msgspec.Struct, frozen=True):
    id: UUID
    shows: PhotoShows
    taken_on: date
    note: str | None
    author: str | None


class CustomerPhotos(msgspec.Struct, frozen=True):
    consents: list[Consent]  # newest first
    photos: list[Photo]  # newest day first, on a day those before the visit first

    @property
    def consent(self) -> Consent | None:
        """The one that holds."""
        return next((consent for consent in self.consents if consent.withdrawn_at is None), None)


class PhotosToChange(NamedTuple):
    customer: CustomerToChange
    has_consent: bool
    photos: int


def customer_photos(customer_id: UUID) -> Query[CustomerPhotos]:
    return Query(
        """
        SELECT json_build_object(
            'consents', (SELECT coalesce(json_agg(json_build_object('how', k.how, 'given_at', format_utc(k.given_at),
                    'recorded_by', r.name, 'withdrawn_at', format_utc(k.withdrawn_at), 'withdrawn_by', w.name)
                    ORDER BY k.given_at DESC), '[]')
                FROM photo_consents k LEFT JOIN users r ON r.id = k.recorded_by
                LEFT JOIN users w ON w.id = k.withdrawn_by
                WHERE k.tenant_id = $1 AND k.customer_id = $2),
            'photos', (SELECT coalesce(json_agg(json_build_object('id', p.id, 'shows', p.shows, 'taken_on', p.taken_on,
                    'note', p.note, 'author', u.name) ORDER BY p.taken_on DESC, p.shows DESC, p.created_at), '[]')
                FROM customer_photos p LEFT JOIN users u ON u.id = p.author_id
                WHERE p.tenant_id = $1 AND p.customer_id = $2))::text AS document
        """,
        (customer_id,),
        decoded(CustomerPhotos),
    )


def photo_picture(customer_id: UUID, photo_id: UUID, staff_id: UUID | None) -> Query[UUID]:
    """The picture of a photo. With `staff_id`, only of a customer who has visited this staff member, or will."""
    return Query(
        """
        SELECT p.picture_id FROM customer_photos p
        WHERE p.tenant_id = $1 AND p.customer_id = $2 AND p.id = $3 AND ($4::uuid IS NULL OR EXISTS (
            SELECT l.id FROM orders o JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id AND l.staff_id = $4
            WHERE o.tenant_id = $1 AND o.customer_id = $2 AND o.parent_id IS NULL))
        """,
        (customer_id, photo_id, staff_id),
        found("photo", lambda row: UUID(str(row["picture_id"]))),
    )


def photos_to_change(customer_id: UUID) -> Query[PhotosToChange]:
    return Query(
        """
        SELECT c.*, EXISTS (SELECT k.id FROM photo_consents k
                WHERE k.tenant_id = $1 AND k.customer_id = c.id AND k.withdrawn_at IS NULL) AS has_consent,
            (SELECT count(*) FROM customer_photos p WHERE p.tenant_id = $1 AND p.customer_id = c.id) AS photos
        FROM customers c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (customer_id,),
        found("customer", lambda row: PhotosToChange(read_customer(row), row["has_consent"], row["photos"])),
    )
