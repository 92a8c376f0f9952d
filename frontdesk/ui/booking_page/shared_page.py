"""What search engines and messengers read of the booking page: its languages, a picture, and its place."""

from typing import NamedTuple

import msgspec
from markupsafe import Markup

from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.components.menu_queries import Menu

_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class SharedPage(NamedTuple):
    canonical: str
    languages: list[tuple[str, str]]  # code and address
    title: str
    description: str
    picture: str
    structured: Markup  # JSON for schema.org


def shared_page(context: PublicContext, menu: Menu) -> SharedPage:
    """The address without choices is the page; a choice is not worth finding."""
    business, origin = context.business, context.request.origin
    page = business.address(origin)
    about = context.format.localized(business.settings.about)
    return SharedPage(
        canonical=f"{page}?lang={context.language}" if context.chosen_language == context.language else page,
        languages=[(code, f"{page}?lang={code}") for code in business.tenant.languages if code in LANGUAGES],
        title=context.translate(N_("Book at %(business)s")) % {"business": business.name},
        description=about or context.translate(N_("Choose a service and a free time, and book it here.")),
        picture=_picture(context, origin),
        structured=_structured(context, menu, page, about),
    )


def _picture(context: PublicContext, origin: str) -> str:
    """The picture of the business, else one that is drawn."""
    business = context.business
    if business.settings.cover_id:
        return f"{origin}/pictures/{business.tenant_id}/{business.settings.cover_id}"
    return f"{business.address(origin)}/card.png"


def _structured(context: PublicContext, menu: Menu, page: str, about: str) -> Markup:
    business = context.business
    action = {"@type": "ReserveAction", "target": {"@type": "EntryPoint", "urlTemplate": page}}
    businesses = [
        {
            "@context": "https://schema.org",
            "@type": "LocalBusiness",
            "@id": f"{page}#{branch.id}",
            "name": business.name if len(menu.branches) == 1 else f"{business.name}, {branch.name}",
            "url": page,
            "image": _picture(context, context.request.origin),
            "currenciesAccepted": business.tenant.currency,
            "potentialAction": action,
            **({"description": about} if about else {}),
            **({"telephone": branch.phone} if branch.phone else {}),
            **({"address": _address(branch.address, business.country)} if branch.address else {}),
        }
        for branch in menu.branches
    ]
    text = msgspec.json.encode(businesses).decode().translate(_IN_SCRIPT)
    return Markup(text)  # noqa: S704 - nothing in it can end the element


def _address(text: str, country: str | None) -> dict[str, str]:
    address = {"@type": "PostalAddress", "streetAddress": text}
    return {**address, "addressCountry": country} if country else address
