"""Commission rates and cashiers."""

from msgspec import UNSET, UnsetType

from frontdesk_client.models import Amount, CashierOfBusiness, CommissionRateDocument, DataResponse, Date, Id, Page
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, delete, patch, path, read, write


class CommissionRates(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[CommissionRateDocument]]:
        """List the commission rates, those for all staff first."""
        return read("/commission-rates", Page[CommissionRateDocument], per_page=per_page)

    @Operation
    def create(
        self,
        *,
        percent: Amount,
        starts_on: Date,
        staff_id: Id | None = None,
        item_id: Id | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CommissionRateDocument]]:
        """Create a commission rate from a day on, of a staff member or all, for an item or all."""
        return write(
            "POST",
            "/commission-rates",
            DataResponse[CommissionRateDocument],
            idempotency_key,
            percent=percent,
            starts_on=starts_on,
            staff_id=staff_id,
            item_id=item_id,
        )

    @Operation
    def update(
        self,
        rate_id: Id,
        *,
        percent: Amount | UnsetType = UNSET,
        starts_on: Date | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CommissionRateDocument]]:
        """Change the percentage of a commission rate, or its first day."""
        return patch(
            path("/commission-rates/{}", rate_id),
            DataResponse[CommissionRateDocument],
            idempotency_key,
            percent=percent,
            starts_on=starts_on,
            version=version,
        )

    @Operation
    def delete(self, rate_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a commission rate."""
        return delete(path("/commission-rates/{}", rate_id), idempotency_key)


class Cashiers(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[CashierOfBusiness]]:
        """List the cashiers, those who left last."""
        return read("/cashiers", Page[CashierOfBusiness], per_page=per_page)

    @Operation
    def create(
        self, *, name: str, code: str, branch_id: Id, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[CashierOfBusiness]]:
        """Create a cashier of a branch, with a code that no other cashier has."""
        return write(
            "POST",
            "/cashiers",
            DataResponse[CashierOfBusiness],
            idempotency_key,
            name=name,
            code=code,
            branch_id=branch_id,
        )

    @Operation
    def update(
        self,
        cashier_id: Id,
        *,
        name: str | UnsetType = UNSET,
        code: str | UnsetType = UNSET,
        branch_id: Id | UnsetType = UNSET,
        status: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[CashierOfBusiness]]:
        """Update a cashier. Omitted fields keep their value; `status` False for who leaves."""
        return patch(
            path("/cashiers/{}", cashier_id),
            DataResponse[CashierOfBusiness],
            idempotency_key,
            name=name,
            code=code,
            branch_id=branch_id,
            status=status,
            version=version,
        )
