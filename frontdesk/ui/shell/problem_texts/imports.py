from collections.abc import Mapping

from frontdesk.i18n.texts import N_
from frontdesk.imports.problems import RowProblem, RunProblem
from frontdesk.problems import ProblemKind

IMPORT_TEXTS: Mapping[ProblemKind, str] = {
    RowProblem.TOO_MANY_CELLS: N_("The row has more cells than the first row has names."),
    RowProblem.NO_NAME: N_("No name. At least %(least)s letters are needed."),
    RowProblem.FIRST_NAME_LENGTH: N_("The first name must have %(least)s to %(most)s characters."),
    RowProblem.LAST_NAME_LENGTH: N_("The last name must have %(least)s to %(most)s characters."),
    RowProblem.NAME_LENGTH: N_("The name must have %(least)s to %(most)s characters."),
    RowProblem.CITY_LENGTH: N_("The city must have %(least)s to %(most)s characters."),
    RowProblem.ADDRESS_LENGTH: N_("The address must have %(least)s to %(most)s characters."),
    RowProblem.NOTE_LENGTH: N_("The note must have %(least)s to %(most)s characters."),
    RowProblem.DESCRIPTION_LENGTH: N_("The description must have %(least)s to %(most)s characters."),
    RowProblem.SKU_LENGTH: N_("The SKU must have %(least)s to %(most)s characters."),
    RowProblem.CATEGORY_LENGTH: N_("The category must have %(least)s to %(most)s characters."),
    RowProblem.BARCODE_LENGTH: N_("The barcode must have %(least)s to %(most)s characters."),
    RowProblem.TAX_CLASS_LENGTH: N_("The tax class must have %(least)s to %(most)s characters."),
    RowProblem.TAG_LENGTH: N_("A tag must have %(least)s to %(most)s characters."),
    RowProblem.OPTION_NAME_LENGTH: N_("The name of an option must have %(least)s to %(most)s characters."),
    RowProblem.NOT_A_PHONE: N_(
        "'%(text)s' is not a phone number. Write it with its country code, such as +966501234567."
    ),
    RowProblem.SHORTENED_PHONE: N_("'%(text)s' is a number that Excel has shortened. Format the column as text there."),
    RowProblem.NOT_AN_EMAIL: N_("'%(text)s' is not an e-mail address."),
    RowProblem.WRONG_PRICE: N_("The price: '%(text)s' is not an amount such as 12.50."),
    RowProblem.WRONG_OFFER: N_("The offer: '%(text)s' is not an amount such as 12.50."),
    RowProblem.WRONG_COST: N_("The cost: '%(text)s' is not an amount such as 12.50."),
    RowProblem.WRONG_DURATION: N_("The duration: '%(text)s' is not a whole number from %(least)s to %(most)s."),
    RowProblem.WRONG_MINUTES_BEFORE: N_(
        "The minutes before: '%(text)s' is not a whole number from %(least)s to %(most)s."
    ),
    RowProblem.WRONG_MINUTES_AFTER: N_(
        "The minutes after: '%(text)s' is not a whole number from %(least)s to %(most)s."
    ),
    RowProblem.WRONG_STOCK: N_("The stock: '%(text)s' is not a whole number from %(least)s to %(most)s."),
    RowProblem.WRONG_LOW_STOCK: N_("The low-stock level: '%(text)s' is not a whole number from %(least)s to %(most)s."),
    RowProblem.WRONG_QUANTITY: N_("The quantity: '%(text)s' is not a whole number from %(least)s to %(most)s."),
    RowProblem.WRONG_ACTIVE: N_("Active: '%(text)s' is neither yes nor no."),
    RowProblem.WRONG_WITHOUT_OPTION: N_("Sold without an option: '%(text)s' is neither yes nor no."),
    RowProblem.WRONG_CUSTOMER_TYPE: N_("The type must be individual or company."),
    RowProblem.WRONG_ITEM_TYPE: N_("The type '%(text)s' is neither service nor product."),
    RowProblem.WRONG_TAX_NUMBER: N_("The tax number must have %(count)s digits."),
    RowProblem.TOO_MANY_TAGS: N_("A customer can have at most %(most)s tags here."),
    RowProblem.BARCODE_TAKEN: N_("The barcode '%(text)s' is used by another item."),
    RowProblem.NO_SUCH_TAX_CLASS: N_("No tax class is called '%(text)s'."),
    RowProblem.NO_SUCH_SERVICE: N_("No service of the branch is called '%(text)s'."),
    RowProblem.PRODUCT_WITH_MINUTES: N_("A product has no minutes before or after. Is it a service?"),
    RowProblem.SERVICE_WITH_STOCK: N_("A service has no stock and no cost. Is it a product?"),
    RowProblem.PRODUCT_WITH_DURATION: N_("A product has no duration. Is it a service?"),
    RowProblem.NO_PRICE: N_("No price."),
    RowProblem.NO_DURATION: N_("No duration in minutes."),
    RowProblem.NO_QUANTITY: N_("No quantity."),
    RowProblem.NO_SKU_AND_NAME: N_("Neither a SKU nor a name."),
    RowProblem.OFFER_NOT_BELOW_PRICE: N_("Enter an amount below the price."),
    RowProblem.SAME_PHONE: N_("The same phone as row %(row)s."),
    RowProblem.SAME_EMAIL: N_("The same e-mail address as row %(row)s."),
    RowProblem.SAME_SKU: N_("The same SKU as row %(row)s."),
    RowProblem.SAME_NAME: N_("The same name as row %(row)s."),
    RowProblem.SEVERAL_CUSTOMERS: N_("Several customers have this e-mail address. Add the phone number."),
    RowProblem.SEVERAL_ITEMS: N_("Several items have this name. Add the SKU."),
    RowProblem.SEVERAL_PRODUCTS: N_("Several products have this name. Add the SKU."),
    RowProblem.SEVERAL_STAFF: N_("Several members of staff match. Add the phone number."),
    RowProblem.NO_SUCH_PRODUCT: N_("No product has this SKU or name. Import it as an item first."),
    RowProblem.OPTIONS_HAVE_STOCK: N_("The options of this product have their own stock. Change it there."),
    RowProblem.STOCK_WITH_OPTIONS: N_(
        "A product with options has no stock of its own. Write it after the price of each option."
    ),
    RowProblem.OPTIONS_SHARE_STOCK: N_("Add the first options of this product on its page: they share its stock."),
    RowProblem.BOOKED: N_("Move or cancel the coming bookings first."),
    RowProblem.BOOKED_HOURS: N_("There are coming bookings. Change the hours on the page of the person."),
    RowProblem.NOT_A_TIME: N_("'%(text)s' is not a time such as 09:00-17:00."),
    RowProblem.TIMES_OVERLAP: N_("Times of the week overlap."),
    RowProblem.NOT_AN_OPTION: N_("'%(text)s' is not an option such as Short: 250."),
    RowProblem.TOO_MANY_OPTIONS: N_("An item has at most %(most)s options."),
    RowProblem.SAME_OPTION_NAME: N_("Two options have the same name."),
    RunProblem.CHANGED_MEANWHILE: N_("Records were changed while you looked at the preview. Check it again."),
    RunProblem.FAILED: N_("Something went wrong, and nothing was saved. Try again."),
}
