"""Saving, renaming and deleting views of the list of orders."""

from typing import Annotated
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.queries.view_queries import StoredView, view_to_change
from frontdesk.orders.views import CreateOrderView, DeleteOrderView, RenameOrderView, ReplaceOrderView
from frontdesk.problems import or_not_found
from frontdesk.ui.orders.list import OrderQuery
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_Query = Annotated[str, Meta(max_length=2000)]


class NewViewForm(msgspec.Struct):
    id: UUID
    name: Annotated[str, Meta(max_length=60)] = ""
    query: _Query = ""
    shared: bool = False


class ViewForm(msgspec.Struct):
    version: int
    query: _Query = ""


class NameForm(msgspec.Struct):
    version: int
    query: _Query = ""  # of the list that the page leads back to
    name: Annotated[str, Meta(max_length=60)] = ""


class NewViewQuery(msgspec.Struct):
    query: _Query = ""


def _checked(query: str) -> str:
    """Only the filters of the list, in their order."""
    known = set(OrderQuery.__struct_encode_fields__) - {"page"}
    return urlencode([(name, value) for name, value in parse_qsl(query) if name in known])


@pages.get(f"{PATH}/views/new", CASHIERS)
async def show_new_view(context: PageContext, query: NewViewQuery | None = None) -> Response:
    filters = query.query if query else context.form.value("query")
    return context.render("order_view.html", filters=_checked(filters), form_id=uuid7())


@pages.post(f"{PATH}/views/new", CASHIERS, on_error=show_new_view)
async def create_view(context: PageContext, form: NewViewForm) -> Response:
    if form.shared and not context.is_manager:
        raise forbidden(N_("Only an owner or manager can save a view for everybody."))
    user_id, query = None if form.shared else context.user.id, _checked(form.query)
    path = await submit(context, CreateOrderView(user_id, form.name, query), once=form.id, then=f"{PATH}?{query}")
    return context.redirect(path, flash=N_("View saved."))


@pages.post(f"{PATH}/views/{{view_id}}", CASHIERS)
async def replace_view(context: PageContext, view_id: UUID, form: ViewForm) -> Response:
    query = _checked(form.query)
    await _require_view(context, view_id)
    await context.run(ReplaceOrderView(view_id, form.version, query))
    return context.redirect(f"{PATH}?{query}", flash=N_("View saved."))


@pages.get(f"{PATH}/views/{{view_id}}/rename", CASHIERS)
async def show_view_name(context: PageContext, view_id: UUID) -> Response:
    return context.render("order_view_rename.html", view=await _require_view(context, view_id))


@pages.post(f"{PATH}/views/{{view_id}}/rename", CASHIERS, on_error=show_view_name)
async def rename_view(context: PageContext, view_id: UUID, form: NameForm) -> Response:
    await _require_view(context, view_id)
    await context.run(RenameOrderView(view_id, form.version, form.name))
    return context.redirect(f"{PATH}?{_checked(form.query)}", flash=N_("View renamed."))


@pages.post(f"{PATH}/views/{{view_id}}/delete", CASHIERS)
async def delete_view(context: PageContext, view_id: UUID, form: ViewForm) -> Response:
    await _require_view(context, view_id)
    await context.run(DeleteOrderView(view_id, form.version))
    return context.redirect(PATH, flash=N_("View deleted."))


async def _require_view(context: PageContext, view_id: UUID) -> StoredView:
    """One's own views, and those of everybody for managers."""
    view = or_not_found((await context.fetch(view_to_change(view_id, context.user.id))).view, "view")
    if view.user_id != context.user.id and not (view.user_id is None and context.is_manager):
        raise forbidden(N_("Only an owner or manager can change a view of everybody."))
    return view
