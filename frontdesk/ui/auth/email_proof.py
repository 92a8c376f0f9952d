"""Where the link leads that proves an e-mail address. It works only in the account that it was made for."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.auth.email_verification import prove_by_link
from frontdesk.http.responses import Answer
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class ProofLink(msgspec.Struct):
    token: Annotated[str, Meta(max_length=200)] = ""


@pages.get("/verify-email", SIGNED_IN)
async def show_proof(visit: Visit, query: ProofLink | None = None) -> Answer:
    return visit.show("verify_email.html", token=query.token if query else visit.value("token"))


@pages.post("/verify-email", SIGNED_IN, again=show_proof)
async def take_proof(visit: Visit, form: ProofLink) -> Answer:
    async with visit.connection() as conn:
        await prove_by_link(conn, visit.person.id, form.token)
    return visit.go("/settings/account", done=mark("Your e-mail address is proven."))
