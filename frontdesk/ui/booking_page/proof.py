"""The proof that an e-mail address is the customer's: a code that was sent to it and entered."""

import time

from frontdesk.booking_page.contact_code_queries import Addressee, check_contact_code, send_contact_code
from frontdesk.i18n.texts import N_
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.details import Details, DetailsForm, network_of
from frontdesk.ui.booking_page.form_token import FormToken, is_proven, write_proof
from frontdesk.ui.shell.problems import page_problem

_PROOF_SECONDS = 3600.0


async def prove(context: PublicContext, form: DetailsForm, token: FormToken, details: Details) -> str | None:
    """The proof of the e-mail address, empty if none is asked for; None: a code is needed."""
    if not context.business.settings.asks_for_code:
        return ""
    email, box = details.customer.email or "", context.request.resources.secret_box
    if is_proven(box, context.tenant_id, email, form.proof, _PROOF_SECONDS):
        return form.proof
    if form.code and not form.again:
        async with context.connection() as conn:
            if await check_contact_code(conn, context.tenant_id, token.form_id, email, form.code):
                return write_proof(box, context.tenant_id, email, time.time())
        raise page_problem(N_("This code is not right, or it has expired."), "code")
    async with context.connection() as conn:
        to = Addressee(email, details.name, context.language)
        if not await send_contact_code(
            conn, box, context.tenant_id, token.form_id, to, network_of(context.request.address)
        ):
            raise page_problem(N_("A code was sent a moment ago. Check your mail, or wait a few minutes."), "code")
    return None
