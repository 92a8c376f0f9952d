"""Photos of a customer, before and after. Only those who may read the notes about the customer see them."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.customers.photo_queries import customer_photos, photo_picture
from frontdesk.customers.photos import AddCustomerPhoto, DeleteCustomerPhoto, RecordPhotoConsent, WithdrawPhotoConsent
from frontdesk.customers.problems import CustomerProblem
from frontdesk.customers.types import ConsentChannel, PhotoShows
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, or_not_found
from frontdesk.ui.customers.pages import PATH, read_card, restricted_staff_id, show_customer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS
from frontdesk.ui.shell.pictures import PICTURE_FORM_BODY, PictureQuery, load_picture, save_picture
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PHOTOS = f"{PATH}/{{customer_id}}/photos"
_Note = Annotated[str, Meta(max_length=200)]
_HEADERS = {
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}


class PhotoConsentForm(msgspec.Struct):
    how: ConsentChannel


class PhotoForm(msgspec.Struct):
    id: UUID
    taken_on: CalendarDate
    shows: PhotoShows = PhotoShows.BEFORE
    photo_note: _Note | None = None
    picture: bytes = b""


@pages.get(f"{_PHOTOS}/{{photo_id}}", ANY_ROLE)
async def show_photo(context: PageContext, customer_id: UUID, photo_id: UUID, query: PictureQuery) -> Response:
    picture_id = await context.fetch(photo_picture(customer_id, photo_id, restricted_staff_id(context)))
    file = await load_picture(context, context.tenant_id, picture_id, small=query.size == "small", is_private=True)
    file = or_not_found(file, "photo")
    return Response(file.content, 200, _HEADERS, file.media_type)


@pages.post(_PHOTOS, ANY_ROLE, on_error=show_customer, max_body=PICTURE_FORM_BODY)
async def add_photo(context: PageContext, customer_id: UUID, form: PhotoForm) -> Response:
    """A provider may add photos of the customers that they see."""
    await _check_may_see(context, customer_id)
    if not form.picture:
        raise page_problem(N_("Choose a photo."), "picture")
    if form.taken_on.day > context.format.today:
        raise page_problem(N_("Choose a day that has come."), "taken_on")
    if (await context.fetch(customer_photos(customer_id))).consent is None:
        raise Problem(CustomerProblem.NO_PHOTO_CONSENT)
    picture_id = await save_picture(context, form.picture, is_private=True)
    act = AddCustomerPhoto(customer_id, picture_id, form.shows, form.taken_on.day, form.photo_note)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{customer_id}#photos")
    return context.redirect(path, flash=N_("Photo added."))


@pages.post(f"{_PHOTOS}/{{photo_id}}/delete", CASHIERS, on_error=show_customer)
async def delete_photo(context: PageContext, customer_id: UUID, photo_id: UUID) -> Response:
    await context.run(DeleteCustomerPhoto(customer_id, photo_id))
    return context.redirect(f"{PATH}/{customer_id}#photos", flash=N_("Photo deleted."))


@pages.post(f"{PATH}/{{customer_id}}/photo-consent", ANY_ROLE, on_error=show_customer)
async def record_photo_consent(context: PageContext, customer_id: UUID, form: PhotoConsentForm) -> Response:
    await _check_may_see(context, customer_id)
    await context.run(RecordPhotoConsent(customer_id, form.how))
    return context.redirect(f"{PATH}/{customer_id}#photos", flash=N_("Consent recorded."))


@pages.get(f"{PATH}/{{customer_id}}/photo-consent/withdraw", CASHIERS)
async def confirm_withdrawal(context: PageContext, customer_id: UUID) -> Response:
    async with context.connection() as conn:
        card = await read_card(context, conn, customer_id)
    photos = await context.fetch(customer_photos(customer_id))
    return context.render("customer_photo_consent.html", customer=card, photos=len(photos.photos))


@pages.post(f"{PATH}/{{customer_id}}/photo-consent/withdraw", CASHIERS, on_error=confirm_withdrawal)
async def withdraw_photo_consent(context: PageContext, customer_id: UUID) -> Response:
    await context.run(WithdrawPhotoConsent(customer_id))
    return context.redirect(f"{PATH}/{customer_id}#photos", flash=N_("Consent withdrawn. The photos are removed."))


async def _check_may_see(context: PageContext, customer_id: UUID) -> None:
    async with context.connection() as conn:
        await read_card(context, conn, customer_id)
