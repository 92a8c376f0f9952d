"""Of the catalogue, staff and customers."""

from collections.abc import Mapping

from frontdesk.catalog.problems import CatalogProblem
from frontdesk.customers.problems import CustomerProblem
from frontdesk.i18n.texts import N_
from frontdesk.problems import ProblemKind
from frontdesk.staff.problems import HoursProblem, StaffProblem

_AMOUNT = N_("Enter an amount such as 12.50.")

CATALOG_TEXTS: Mapping[ProblemKind, str] = {
    CatalogProblem.NAME_REQUIRED: N_("Enter a name."),
    CatalogProblem.NAME_TAKEN: N_("Another category of this branch has this name."),
    CatalogProblem.NOT_AN_AMOUNT: _AMOUNT,
    CatalogProblem.NEGATIVE_AMOUNT: _AMOUNT,
    CatalogProblem.TOO_MANY_DECIMALS: _AMOUNT,
    CatalogProblem.OFFER_NOT_BELOW_PRICE: N_("Enter an amount below the price."),
    CatalogProblem.OFFER_ENDS_BEFORE: N_("Enter a day that is not before the first."),
    CatalogProblem.CODE_TAKEN: N_("This code is already used by '%(name)s'."),
    CatalogProblem.CODE_TWICE: N_("This code is entered twice."),
    CatalogProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    CatalogProblem.UNKNOWN_CATEGORY: N_("Choose a category of the same branch."),
    CatalogProblem.UNKNOWN_OTHER_CATEGORY: N_("Choose another category."),
    CatalogProblem.UNKNOWN_TAX_CLASS: N_("Choose a tax class."),
    CatalogProblem.MINUTES_REQUIRED: N_("Enter a number of minutes."),
    CatalogProblem.WRONG_MINUTES: N_("Enter a number of minutes from %(least)s to %(most)s."),
    CatalogProblem.WRONG_NUMBER: N_("Enter a number from %(least)s to %(most)s."),
    CatalogProblem.WRONG_PERCENTAGE: N_("Enter a percentage from 0 to 100."),
    CatalogProblem.STOCK_COUNTED: N_("The stock is counted already. Record a delivery, a loss or a correction."),
    CatalogProblem.OF_OTHER_TYPE: N_("The item is not of the type that has this: %(type)s."),
    CatalogProblem.STAFF_LEFT: N_("A staff member has left. Reload the page."),
    CatalogProblem.NOT_A_PERFORMER: N_("Tick this person too, or leave price and minutes empty."),
    CatalogProblem.TOO_MANY_OPTIONS: N_("An item has at most %(most)s options."),
    CatalogProblem.OTHER_OPTIONS: N_("The rows of the form do not match. Reload the page."),
    CatalogProblem.OPTION_IN_USE: N_("The option '%(name)s' has orders or stock. Take it off sale instead."),
    CatalogProblem.OPTION_REQUIRED: N_("Choose an option."),
    CatalogProblem.NO_PARTS: N_("Choose at least one item."),
    CatalogProblem.TOO_MANY_PARTS: N_("A package has at most %(most)s parts."),
    CatalogProblem.PART_TWICE: N_("Choose each item once and enter its quantity."),
    CatalogProblem.UNKNOWN_ITEM: N_("Choose an item of the same branch."),
    CatalogProblem.CATEGORY_HAS_ITEMS: N_(
        "A category with items cannot be deleted. Move its items to another one first."
    ),
    CatalogProblem.HAS_ORDERS: N_("It has orders, so it cannot be deleted. Take it off sale instead."),
    CatalogProblem.IN_PACKAGE: N_("It is in a package, so it cannot be deleted. Take it out of the package first."),
    CatalogProblem.ABOVE_STOCK: N_("There are only %(left)s in stock."),
    StaffProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    StaffProblem.UNKNOWN_USER: N_("Choose a member of this business."),
    StaffProblem.UPCOMING_IN_OTHER_BRANCH: N_(
        "Move or cancel the coming bookings first: they are in the other branch."
    ),
    StaffProblem.HAS_UPCOMING_BOOKINGS: N_("Move or cancel the coming bookings first."),
    StaffProblem.NOT_AN_AMOUNT: _AMOUNT,
    StaffProblem.OTHER_SERVICES: N_("Choose services of the branch."),
    StaffProblem.SERVICES_TWICE: N_("Choose the services in one way."),
    HoursProblem.OVERLAP: N_("%(start)s to %(end)s overlaps %(other_start)s to %(other_end)s"),
    HoursProblem.BRANCH_CLOSED: N_("The branch is closed on this day. Open it again first."),
    HoursProblem.DAY_TAKEN: N_("This day already has other hours."),
    HoursProblem.TOO_MANY_DAYS: N_("Choose a day at most %(most)s days later."),
    HoursProblem.ENDS_BEFORE_START: N_("The end must be after the beginning."),
    CustomerProblem.PHONE_TAKEN: N_("This already belongs to another customer."),
    CustomerProblem.ERASED: N_("The data of this customer was erased."),
    CustomerProblem.HAS_UPCOMING_VISITS: N_("The customer has coming visits. Cancel them first."),
    CustomerProblem.SAME_CUSTOMER: N_("Choose another customer."),
    CustomerProblem.UNKNOWN_OTHER: N_("Choose another customer."),
    CustomerProblem.NO_PHOTO_CONSENT: N_("Record first that the customer agrees to photos."),
    CustomerProblem.TOO_MANY_PHOTOS: N_("A customer can have at most %(most)s photos. Delete old ones first."),
}
