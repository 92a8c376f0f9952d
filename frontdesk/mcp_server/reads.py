"""Tools that read."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.api import Api
from frontdesk.mcp_server.tool import Date, Id, Page, Text, Tool

OrderStatus = Literal["draft", "confirmed", "in-progress", "completed", "canceled"]


class FindCustomer(Tool):
    """Find customers by name, phone number or e-mail address, newest first. Give one of the three."""

    scopes: ClassVar = (Scope.CUSTOMERS_READ,)
    title: ClassVar = "Find a customer"

    name: Annotated[Text, Meta(description="Part of the name.")] | None = None
    phone: (
        Annotated[
            Text,
            Meta(description="Part of the phone number without a leading 0: 0501234567 is stored as +966501234567."),
        ]
        | None
    ) = None
    email: Annotated[Text, Meta(description="Part of the e-mail address.")] | None = None
    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page("/customers", page=self.page, name=self.name, phone=self.phone, email=self.email)


class ReadCustomer(Tool):
    """Read a customer with address, tags and notes."""

    scopes: ClassVar = (Scope.CUSTOMERS_READ,)
    title: ClassVar = "Read a customer"

    customer_id: Annotated[Id, Meta(description="From find_customer.")]

    async def run(self, api: Api) -> object:
        return await api.data("/customers/{}", self.customer_id)


class ListBranches(Tool):
    """List the branches of the business with their ids, addresses and hours. Orders are created in a branch."""

    scopes: ClassVar = (Scope.BRANCHES_READ,)
    title: ClassVar = "List branches"

    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page("/branches", page=self.page)


class ListCatalogue(Tool):
    """List services and products with their ids, prices, durations and options."""

    scopes: ClassVar = (Scope.ITEMS_READ,)
    title: ClassVar = "List the catalogue"

    type: Annotated[Literal["service", "product"], Meta(description="Only services, or only products.")] | None = None
    name: Annotated[Text, Meta(description="Part of the name.")] | None = None
    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page("/items", page=self.page, type_=self.type, name=self.name)


class ReadItem(Tool):
    """Read a service with the staff who perform it, or a product."""

    scopes: ClassVar = (Scope.ITEMS_READ,)
    title: ClassVar = "Read a service or product"

    item_id: Annotated[Id, Meta(description="From list_catalogue.")]

    async def run(self, api: Api) -> object:
        return await api.data("/items/{}", self.item_id)


class ListStaff(Tool):
    """List staff members with their ids and the services they perform."""

    scopes: ClassVar = (Scope.STAFF_READ,)
    title: ClassVar = "List staff"

    name: Annotated[Text, Meta(description="Part of the name.")] | None = None
    branch_id: Annotated[Id, Meta(description="Only staff of this branch.")] | None = None
    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page("/staff", page=self.page, name=self.name, branch_id=self.branch_id)


class ReadWorkingHours(Tool):
    """Read the weekly working hours of a staff member, or those of the branch if they have none of their own."""

    scopes: ClassVar = (Scope.STAFF_READ,)
    title: ClassVar = "Read working hours"

    staff_id: Annotated[Id, Meta(description="From list_staff.")]

    async def run(self, api: Api) -> object:
        return await api.data("/staff/{}/working-hour", self.staff_id)


class ListPaymentMethods(Tool):
    """List the ways to pay with their ids, such as cash and card."""

    scopes: ClassVar = (Scope.PAYMENT_METHODS_READ,)
    title: ClassVar = "List payment methods"

    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page("/payment-methods", page=self.page)


class ListOrders(Tool):
    """List orders, newest first. An order may have appointments; `starts_from` and `starts_to` select by their days."""

    scopes: ClassVar = (Scope.ORDERS_READ,)
    title: ClassVar = "List orders"

    status: Annotated[OrderStatus, Meta(description="Only orders with this status.")] | None = None
    payment_status: (
        Annotated[Text, Meta(description="Only orders with this payment status, such as unpaid.")] | None
    ) = None
    customer_id: Annotated[Id, Meta(description="Only orders of this customer.")] | None = None
    staff_id: Annotated[Id, Meta(description="Only orders with an appointment of this staff member.")] | None = None
    branch_id: Annotated[Id, Meta(description="Only orders of this branch.")] | None = None
    starts_from: Annotated[Date, Meta(description="First day of the appointments, YYYY-MM-DD.")] | None = None
    starts_to: Annotated[Date, Meta(description="Last day of the appointments, YYYY-MM-DD.")] | None = None
    created_from: Annotated[Date, Meta(description="First day on which the orders were created.")] | None = None
    created_to: Annotated[Date, Meta(description="Last day on which the orders were created.")] | None = None
    page: Page | None = None

    async def run(self, api: Api) -> object:
        return await api.page(
            "/orders",
            page=self.page,
            status=self.status,
            payment_status=self.payment_status,
            customer_id=self.customer_id,
            staff_id=self.staff_id,
            branch_id=self.branch_id,
            starts_from=self.starts_from,
            starts_to=self.starts_to,
            from_=self.created_from,
            to=self.created_to,
        )


class ReadOrder(Tool):
    """Read an order with its lines, appointments, payments and history."""

    scopes: ClassVar = (Scope.ORDERS_READ,)
    title: ClassVar = "Read an order"

    order_id: Annotated[Id, Meta(description="From list_orders or day_overview.")]

    async def run(self, api: Api) -> object:
        return await api.data("/orders/{}", self.order_id)
