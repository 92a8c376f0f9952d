"""Categories of the catalogue."""

from uuid import UUID

from frontdesk.catalog.categories import DeleteCategory, MoveCategory, SaveCategory
from frontdesk.catalog.changes import CategoryEntry
from frontdesk.catalog.page_queries import catalogue_choices, find_edited_category
from frontdesk.catalog.page_types import EditedCategory
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import or_not_found
from frontdesk.ui.catalog.item_form import OneTimeForm, TextFields, named, only_branch
from frontdesk.ui.catalog.pages import PATH, ReorderForm, valid_place
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_CATEGORIES = f"{PATH}/categories"
_CATEGORY = f"{_CATEGORIES}/{{category_id}}"


class CategoryForm(TextFields, kw_only=True):
    id: UUID
    version: int | None = None
    branch: UUID | None = None
    active: bool = False


@pages.get(f"{_CATEGORIES}/new", MANAGERS)
async def show_new_category(context: PageContext) -> Response:
    return await _render(context, None)


@pages.get(_CATEGORY, MANAGERS)
async def show_category(context: PageContext, category_id: UUID) -> Response:
    category = or_not_found(await context.fetch(find_edited_category(category_id)), "category")
    return await _render(context, category)


async def _render(context: PageContext, category: EditedCategory | None) -> Response:
    choices = await context.fetch(catalogue_choices())
    return context.render(
        "catalogue_category.html",
        category=category,
        form_id=category.id if category else uuid7(),
        once=uuid7(),
        branches=named(context, choices.branches),
    )


@pages.post(f"{_CATEGORIES}/new", MANAGERS, on_error=show_new_category, fields={"branch_id": "branch"})
async def create_category(context: PageContext, form: CategoryForm) -> Response:
    branch_id = form.branch or await only_branch(context)
    entry = CategoryEntry(form.id, None, branch_id, form.names(), form.descriptions(), form.active)
    path = await submit(context, SaveCategory(entry), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("Category added."))


@pages.post(_CATEGORY, MANAGERS, on_error=show_category, fields={"branch_id": "branch"})
async def change_category(context: PageContext, category_id: UUID, form: CategoryForm) -> Response:
    category = or_not_found(await context.fetch(find_edited_category(category_id)), "category")
    names, descriptions = form.names(), form.descriptions()
    entry = CategoryEntry(category_id, form.version or 0, category.branch_id, names, descriptions, form.active)
    await context.run(SaveCategory(entry))
    return context.redirect(PATH, flash=N_("Saved."))


@pages.post(f"{_CATEGORY}/delete", MANAGERS, on_error=show_category)
async def delete_category(context: PageContext, category_id: UUID, form: OneTimeForm) -> Response:
    path = await submit(context, DeleteCategory(category_id), once=form.id, then=PATH)
    return context.redirect(path, flash=N_("Category deleted."))


@pages.post(f"{_CATEGORY}/move", MANAGERS)
async def move_category(context: PageContext, category_id: UUID, form: ReorderForm) -> Response:
    await context.run(MoveCategory(category_id, valid_place(form.to)))
    return context.redirect(f"{PATH}#c-{category_id}", flash=N_("Moved."))
