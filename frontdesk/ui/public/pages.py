"""The page on which customers book by themselves: where, what, with whom, when, who."""

from frontdesk.http.responses import Response
from frontdesk.orders.queries.menu import find_menu
from frontdesk.postgres.query import fetch
from frontdesk.ui.public.choice import ChoiceQuery, find_chosen, read_choice
from frontdesk.ui.public.context import PublicContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages(PublicContext)
PATH = "/book/{slug}"


@pages.get(PATH, PUBLIC)
async def show_booking_page(context: PublicContext, slug: str, query: ChoiceQuery) -> Response:
    await context.open_business(slug)
    choice = read_choice(query)
    async with context.connection() as conn:
        menu = await fetch(conn, context.tenant_id, find_menu(choice.branch_id))
    choice, chosen = find_chosen(choice, menu)
    return context.render("public_menu.html", menu=menu, branch=menu.branch, choice=choice, chosen=chosen)


@pages.get(PATH + "/privacy", PUBLIC)
async def show_privacy(context: PublicContext, slug: str) -> Response:
    await context.open_business(slug, must_be_open=False)
    return context.render("public_privacy.html")


@pages.get(PATH + "/brand.css", PUBLIC)
async def show_brand(context: PublicContext, slug: str) -> Response:
    """The one colour of the business; public.css derives the others from it."""
    business = await context.open_business(slug, must_be_open=False)
    rule = f":root {{ --brand: {business.accent}; }}\n" if business.accent else ""
    headers = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff"}
    return Response(rule.encode(), 200, headers, "text/css; charset=utf-8")
