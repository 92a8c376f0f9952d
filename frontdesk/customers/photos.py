"""Photos of a customer, before and after, which need the customer's consent."""

from datetime import date
from types import MappingProxyType
from uuid import UUID

import msgspec

from frontdesk.customers.change import CustomerAct, check_not_erased
from frontdesk.customers.photo_queries import PhotosToChange, photos_to_change
from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.queries import CustomerToChange
from frontdesk.customers.types import ConsentChannel, PhotoShows
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import OUTDATED
from frontdesk.problems import Problem, not_found
from frontdesk.values.ids import uuid7

MAX_PHOTOS = 100  # of one customer
_NO_PHOTO = MappingProxyType({OUTDATED: lambda: not_found("photo")})


class RecordPhotoConsent(CustomerAct, frozen=True):
    how: ConsentChannel

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        check_not_erased(context.loaded)
        argument = {"id": self.customer_id, "consent_id": uuid7(), "how": self.how}
        return FunctionCall("change_photo_consent", argument)


class WithdrawPhotoConsent(CustomerAct, frozen=True):
    """The photos are removed."""

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        return FunctionCall("change_photo_consent", {"id": self.customer_id})


class AddCustomerPhoto(Act[PhotosToChange], frozen=True):
    customer_id: UUID
    picture_id: UUID  # a private one
    shows: PhotoShows
    taken_on: date
    note: str | None
    photo_id: UUID = msgspec.field(default_factory=uuid7)

    def load(self) -> Query[PhotosToChange]:
        return photos_to_change(self.customer_id).locking(lock_row("customers", self.customer_id))

    def decide(self, context: Context[PhotosToChange]) -> FunctionCall:
        loaded = context.loaded
        check_not_erased(loaded.customer)
        if not loaded.has_consent:
            raise Problem(CustomerProblem.NO_PHOTO_CONSENT)
        if loaded.photos >= MAX_PHOTOS:
            raise Problem(CustomerProblem.TOO_MANY_PHOTOS, "picture", most=MAX_PHOTOS)
        return FunctionCall("add_customer_photo", {**msgspec.structs.asdict(self), "id": self.customer_id})


class DeleteCustomerPhoto(CustomerAct, frozen=True):
    photo_id: UUID

    def decide(self, context: Context[CustomerToChange]) -> FunctionCall:
        argument = {"id": self.customer_id, "photo_id": self.photo_id}
        return FunctionCall("delete_customer_photo", argument, errors=_NO_PHOTO)
