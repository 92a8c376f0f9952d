"""The forms of a staff member: details, services, place in the list."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import MINUTES, EnteredAmount
from frontdesk.http.forms import Fields
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, Problems
from frontdesk.staff.card_queries import Card
from frontdesk.staff.edit import MoveStaffMember, SaveStaffMember, ServiceTerms, SetStaffServices, StaffFields
from frontdesk.staff.list_queries import StaffChoices, get_choices, list_service_choices
from frontdesk.staff.problems import StaffProblem
from frontdesk.ui.components.contact import read_email, read_phone
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, uploaded_picture
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.pages import PATH, read_card
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount
from frontdesk.values.text import by_language

pages = Pages()
_Name = Annotated[str, Meta(max_length=200)]
_Title = Annotated[str, Meta(max_length=80)]
_OptionalText = Annotated[str, Meta(max_length=255)]
_ENTER_NAME = N_("Enter a name.")
_MAX_SERVICES = 2000


class StaffForm(msgspec.Struct):
    id: UUID | None = None
    version: int | None = None
    name: _Name = ""
    name_en: _Name = ""
    name_ar: _Name = ""
    title_en: _Title = ""
    title_ar: _Title = ""
    phone: _OptionalText | None = None
    email: _OptionalText | None = None
    branch_id: UUID | None = None
    user_id: UUID | None = None
    picture: bytes = b""
    remove_picture: bool = False
    performs: Annotated[list[UUID], Meta(max_length=_MAX_SERVICES)] = []  # of a new person


class MoveStaffForm(msgspec.Struct):
    direction: Literal["up", "down"]


_NOT_TICKED = N_("Tick this service too, or leave price and duration empty.")


class ServicesForm(msgspec.Struct):
    """`item`, `price` and `duration` have the same order; `performs` has the items that are selected.

    `performed` has those that were selected when the page was opened.
    """

    version: int
    performs: Annotated[list[UUID], Meta(max_length=_MAX_SERVICES)] = []
    performed: Annotated[list[UUID], Meta(max_length=_MAX_SERVICES)] = []
    item: Annotated[list[UUID], Meta(max_length=_MAX_SERVICES)] = []
    price: list[EnteredAmount | None] = []
    duration: list[Annotated[int, Meta(ge=1, le=1440, extra=MINUTES)] | None] = []


@pages.get(f"{PATH}/new", MANAGERS)
async def show_new_staff(context: PageContext) -> Response:
    choices = await context.fetch(get_choices(None))
    return _staff_form(context, None, choices)


# The services are boxes without a field of their own, so what is wrong with them stands above the form.
@pages.post(f"{PATH}/new", MANAGERS, on_error=show_new_staff, max_body=PICTURE_FORM_BODY, fields={"services": ""})
async def create_staff(context: PageContext, form: StaffForm) -> Response:
    form_id = form.id or uuid7()
    act = SaveStaffMember(form_id, await _fields(context, form, None), is_new=True)
    path = context.next_in_setup or f"{PATH}/{form_id}" if form.performs else f"{PATH}/{form_id}/services"
    path = await submit(context, act, once=form_id, then=path)
    added = N_("Person added.") if form.performs else N_("Person added. Choose what they perform.")
    return context.redirect(path, flash=added)


@pages.get(f"{PATH}/{{staff_id}}/edit", MANAGERS)
async def show_staff_form(context: PageContext, staff_id: UUID) -> Response:
    card = await read_card(context, staff_id)
    choices = await context.fetch(get_choices(staff_id))
    return _staff_form(context, card, choices)


def _staff_form(context: PageContext, card: Card | None, choices: StaffChoices) -> Response:
    nobody = ("", context.translate(N_("Nobody")))
    return context.render(
        "staff_form.html",
        card=card,
        choices=choices,
        branch_choices=[(branch.id, branch.name) for branch in choices.branches],
        account_choices=[nobody, *((account.id, account.name) for account in choices.accounts)],
        ticked=_ticked(context, choices),
        form_id=uuid7(),
    )


def _ticked(context: PageContext, choices: StaffChoices) -> set[str]:
    """Of a new person: the only service, and those without a provider, because they cannot be booked."""
    if context.form.values:
        return set(context.form.values.get("performs", []))
    is_only = len(choices.services) == 1
    return {str(service.id) for service in choices.services if is_only or not service.is_performed}


@pages.post(f"{PATH}/{{staff_id}}/edit", MANAGERS, on_error=show_staff_form, max_body=PICTURE_FORM_BODY)
async def change_staff(context: PageContext, staff_id: UUID, form: StaffForm) -> Response:
    card = await read_card(context, staff_id)
    fields = await _fields(context, form, card)
    await context.run(SaveStaffMember(staff_id, fields, version=form.version or 0))
    return context.redirect(f"{PATH}/{staff_id}", flash=N_("Saved."))


async def _fields(context: PageContext, form: StaffForm, card: Card | None) -> StaffFields:
    """All errors at once; the picture is stored only if there are none."""
    problems: list[Problem] = []
    if not form.name:
        problems.append(page_problem(_ENTER_NAME, "name"))
    if form.branch_id is None:
        problems.append(page_problem(N_("Choose a branch."), "branch_id"))
    phone, country = read_phone(form.phone, context.tenant, problems)
    email = read_email(form.email, problems)
    if problems or form.branch_id is None:
        raise Problems(problems)
    picture_id = await uploaded_picture(context, form, card.picture_id if card else None)
    return StaffFields(
        form.name,
        phone,
        country,
        email,
        form.branch_id,
        picture_id,
        form.user_id,
        title=by_language(form.title_en, form.title_ar),
        names=by_language(form.name_en, form.name_ar),
        services=tuple(form.performs),
    )


@pages.post(f"{PATH}/{{staff_id}}/place", MANAGERS)
async def move_staff(context: PageContext, staff_id: UUID, form: MoveStaffForm) -> Response:
    await context.run(MoveStaffMember(staff_id, form.direction))
    return context.redirect(PATH)


@pages.get(f"{PATH}/{{staff_id}}/services", MANAGERS)
async def show_services(context: PageContext, staff_id: UUID) -> Response:
    card = await read_card(context, staff_id)
    services = await context.fetch(list_service_choices(staff_id))
    return context.render(
        "staff_services.html",
        card=card,
        services=services,
        own=_service_values(card, context.form.values, context.tenant.currency_decimals),
        service_errors=_row_errors(context),
    )


def _service_values(card: Card, values: Fields, decimals: int) -> dict[str, tuple[bool, str, str, bool]]:
    """Whether each service is performed, its own price and duration, and whether it was performed before."""
    if values:
        chosen, before = set(values.get("performs", [])), set(values.get("performed", []))
        rows = zip(values.get("item", []), values.get("price", []), values.get("duration", []), strict=False)
        return {item: (item in chosen, price, duration, item in before) for item, price, duration in rows}
    return {
        str(service.id): (
            True,
            "" if service.staff_price is None else format_amount(service.staff_price, decimals),
            "" if service.staff_duration is None else str(service.staff_duration),
            True,
        )
        for service in card.services
    }


def _row_errors(context: PageContext) -> dict[int, str]:
    """The first error of each row; the errors of a list are named after their index."""
    found: dict[int, str] = {}
    for name in context.form.errors:
        head, _, index = name.partition(".")
        if head in ("price", "duration") and index.isdigit():
            found.setdefault(int(index), context.form.error(name) or "")
    return found


@pages.post(f"{PATH}/{{staff_id}}/services", MANAGERS, on_error=show_services, fields={"services.#.price": "price.#"})
async def set_services(context: PageContext, staff_id: UUID, form: ServicesForm) -> Response:
    rows = [
        ServiceTerms(item, None if price is None else price.amount, duration, row)
        for row, (item, price, duration) in enumerate(zip(form.item, form.price, form.duration, strict=False))
    ]
    services = [service for service in rows if service.item_id in form.performs]
    known = {*form.performs, *form.performed}
    lost = [s for s in rows if s.item_id not in known and not (s.price is None and s.duration is None)]
    if not known.issubset(form.item):
        raise Problem(StaffProblem.OTHER_SERVICES)
    if lost:
        raise Problems([page_problem(_NOT_TICKED, "price", service.row) for service in lost])
    await context.run(SetStaffServices(staff_id, services, form.version))
    return context.redirect(context.next_in_setup or f"{PATH}/{staff_id}", flash=N_("Saved."))
