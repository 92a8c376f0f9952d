"""Availability and holds."""

from frontdesk_client.models import Availability, DataResponse, Date, DateTime, ExplainedStart, Hold, Id
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, path, post_query, write


class AvailabilitySearch(Resource[TransportT]):
    @Operation
    def search(
        self,
        *,
        service_id: Id,
        date: Date,
        staff_id: Id | None = None,
        quantity: int | None = None,
        visible_days: int | None = None,
        next_availability: bool | None = None,
        explain: bool | None = None,
        option_id: Id | None = None,
    ) -> ApiRequest[DataResponse[Availability]]:
        """Search for free slots of a service. Reads only, although it is a POST request."""
        return post_query(
            "/availability",
            DataResponse[Availability],
            service_id=service_id,
            date=date,
            staff_id=staff_id,
            quantity=quantity,
            visible_days=visible_days,
            next_availability=next_availability,
            explain=explain,
            option_id=option_id,
        )

    @Operation
    def explain(
        self,
        *,
        service_id: Id,
        start: DateTime,
        staff_id: Id | None = None,
        quantity: int | None = None,
        option_id: Id | None = None,
    ) -> ApiRequest[DataResponse[ExplainedStart]]:
        """Why a start is not offered, for each staff member. Reads only, although it is a POST request."""
        return post_query(
            "/availability/explain",
            DataResponse[ExplainedStart],
            service_id=service_id,
            start=start,
            staff_id=staff_id,
            quantity=quantity,
            option_id=option_id,
        )


class Holds(Resource[TransportT]):
    @Operation
    def create(
        self,
        *,
        service_id: Id,
        start: DateTime,
        staff_id: Id | None = None,
        option_id: Id | None = None,
        quantity: int | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Hold]]:
        """Hold a slot for eight minutes. Pass its id as `hold_id` of the order."""
        return write(
            "POST",
            "/holds",
            DataResponse[Hold],
            idempotency_key,
            service_id=service_id,
            start=start,
            staff_id=staff_id,
            option_id=option_id,
            quantity=quantity,
        )

    @Operation
    def delete(self, hold_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Release a slot."""
        return write("DELETE", path("/holds/{}", hold_id), DataResponse[None], idempotency_key)
