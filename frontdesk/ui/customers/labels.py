"""The words of the pages about customers."""

from frontdesk.customers.list_queries import CustomerSort
from frontdesk.customers.types import ConsentChannel, CustomerType, PhotoShows
from frontdesk.i18n.texts import N_, NP_

SORTS = {
    CustomerSort.NEWEST: N_("Newest first"),
    CustomerSort.NAME: N_("By name"),
    CustomerSort.LAST_VISIT: N_("Last visit first"),
}
TYPES = {CustomerType.INDIVIDUAL: N_("Person"), CustomerType.COMPANY: N_("Company")}
CONSENT_CHANNELS = {
    ConsentChannel.IN_PERSON: N_("In person"),
    ConsentChannel.PHONE: N_("By phone"),
    ConsentChannel.WRITTEN: N_("In writing"),
    ConsentChannel.ONLINE: N_("Online"),
}
PHOTOS = {PhotoShows.BEFORE: NP_("photo", "Before"), PhotoShows.AFTER: NP_("photo", "After")}
MERGE_FIELDS = {
    "name": N_("Name"),
    "phone": N_("Phone"),
    "email": N_("E-mail"),
    "type": N_("Type"),
    "city": N_("City"),
    "address": N_("Address"),
    "tax_registration_number": N_("Tax registration number"),
    "birthday": N_("Birthday"),
    "favorite": N_("Favourite provider"),
}
