"""Who may perform the chosen services, what each of them costs, and the addresses that choose them."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.pricing import Priced
from frontdesk.scheduling.online import FirstStart, Prices
from frontdesk.ui.booking_page.choice import Choice, Chosen, Step, written
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.components.menu_queries import Menu, MenuProvider
from frontdesk.values.money import exact_sum

# For each chosen service, what it costs with each provider.
LinePrices = list[dict[UUID, Decimal]]
_NOBODY = UUID(int=0)
_SERVICES = "services-of-the-choice"  # where they stand in an address


class ProviderChoice(NamedTuple):
    provider: MenuProvider | None  # None: anyone
    link: str
    is_current: bool
    price: Decimal
    is_lowest: bool  # others cost more
    first_free: FirstStart | None = None  # None: not searched


class LineProviders(NamedTuple):
    """The providers of one of several services."""

    chosen: Chosen
    providers: list[ProviderChoice]


def line_prices(chosen: Sequence[Chosen], prices: Prices) -> LinePrices:
    return [
        {performer.staff_id: prices.line(index, performer.staff_id) for performer in service.service.performers}
        for index, service in enumerate(chosen)
    ]


def providers_of_all(
    context: PublicContext,
    menu: Menu,
    choice: Choice,
    prices: LinePrices,
    anyone: FirstStart,
    first_free: Mapping[UUID, FirstStart],
) -> list[ProviderChoice]:
    """Anyone, and everybody who performs all services."""
    links = _Links(context, choice)
    current = {picked.staff_id for picked in choice.services} if choice.step else set()
    lowest = exact_sum(min(line.values()) for line in prices)
    varies = any(min(line.values()) != max(line.values()) for line in prices)
    listed = [ProviderChoice(None, links.of_all(None), current == {None}, lowest, varies, anyone)]
    for provider in menu.providers:
        if all(provider.id in line for line in prices):
            total = exact_sum(line[provider.id] for line in prices)
            link, is_current = links.of_all(provider.id), current == {provider.id}
            listed.append(ProviderChoice(provider, link, is_current, total, False, first_free.get(provider.id)))  # noqa: FBT003
    return listed


def providers_by_line(
    context: PublicContext, menu: Menu, choice: Choice, chosen: Sequence[Chosen], prices: LinePrices
) -> list[LineProviders]:
    links = _Links(context, choice, "each")
    known = {provider.id: provider for provider in menu.providers}
    lines = []
    for index, (service, line) in enumerate(zip(chosen, prices, strict=True)):
        picked, least = choice.services[index].staff_id, min(line.values())
        varies = any(price != least for price in line.values())
        anyone = ProviderChoice(None, links.of_one(index, None), picked is None, least, varies)
        own = [
            ProviderChoice(known[staff_id], links.of_one(index, staff_id), picked == staff_id, price, False)  # noqa: FBT003
            for staff_id, price in line.items()
            if staff_id in known
        ]
        lines.append(LineProviders(service, [anyone, *own]))
    return lines


def lowest_price(choice: Choice, line_costs: LinePrices, prices: Prices) -> tuple[Priced, bool]:
    """Of the providers who may perform the services, and whether others cost more."""
    cheapest: list[UUID] = []
    varies = False
    for picked, line in zip(choice.services, line_costs, strict=True):
        found = {picked.staff_id: line[picked.staff_id]} if picked.staff_id else line
        cheapest.append(min(found, key=found.__getitem__))
        varies = varies or len(set(found.values())) > 1
    return prices(cheapest), varies


class _Links:
    """Addresses that differ only in who performs the services: there are as many as providers, for each service.

    They lead to the first free time: that of now may not be free with another provider. Who is chosen for one of
    several services is asked for the others too.
    """

    def __init__(self, context: PublicContext, choice: Choice, step: Step = "when") -> None:
        address = context.link("", **{**choice.asking(step).query, "services": _SERVICES})
        self._before, _, self._after = address.partition(_SERVICES)
        self._services = [written(picked) for picked in choice.services]
        self._anyone = [written(picked._replace(staff_id=None)) for picked in choice.services]
        self._somebody = [
            written(picked._replace(staff_id=_NOBODY)).removesuffix(str(_NOBODY)) for picked in choice.services
        ]

    def of_all(self, staff_id: UUID | None) -> str:
        return self._address(self._service(index, staff_id) for index in range(len(self._services)))

    def of_one(self, index: int, staff_id: UUID | None) -> str:
        before, after = self._services[:index], self._services[index + 1 :]
        return self._address((*before, self._service(index, staff_id), *after))

    def _service(self, index: int, staff_id: UUID | None) -> str:
        return self._anyone[index] if staff_id is None else f"{self._somebody[index]}{staff_id}"

    def _address(self, services: Iterable[str]) -> str:
        return f"{self._before}{','.join(services)}{self._after}"
