"""Of the catalog, as applications and imports change it."""

from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.problems import ProblemKind

CATALOG_ANSWERS: Mapping[ProblemKind, Answer] = {
    CatalogProblem.NAME_REQUIRED: Answer("must have a text in at least one language"),
    CatalogProblem.NAME_TAKEN: Answer("is the name of another category of this branch"),
    CatalogProblem.NOT_AN_AMOUNT: Answer("must be an amount"),
    CatalogProblem.NEGATIVE_AMOUNT: Answer("must be at least 0"),
    CatalogProblem.TOO_MANY_DECIMALS: Answer("must have at most {most} decimals"),
    CatalogProblem.OFFER_NOT_BELOW_PRICE: Answer("must be below the price"),
    CatalogProblem.OFFER_ENDS_BEFORE: Answer("must not be before offer_from"),
    CatalogProblem.CODE_TAKEN: Answer("is already used by {name}"),
    CatalogProblem.CODE_TWICE: Answer("is a duplicate"),
    CatalogProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    CatalogProblem.UNKNOWN_CATEGORY: Answer("is not a category of this branch"),
    CatalogProblem.UNKNOWN_OTHER_CATEGORY: Answer("is not another category of this business"),
    CatalogProblem.UNKNOWN_TAX_CLASS: Answer("is not a tax class of this business"),
    CatalogProblem.MINUTES_REQUIRED: Answer("is required for a service"),
    CatalogProblem.WRONG_MINUTES: Answer("must be between {least} and {most}"),
    CatalogProblem.WRONG_NUMBER: Answer("must be between {least} and {most}"),
    CatalogProblem.STAFF_LEFT: Answer("is not a staff member of this business"),
    CatalogProblem.NOT_A_PERFORMER: Answer("is of a staff member who does not perform the service"),
    CatalogProblem.WRONG_PERCENTAGE: Answer("must be a percentage from 0 to 100"),
    CatalogProblem.OTHER_OPTIONS: Answer("The options are not those of the item."),
    CatalogProblem.OPTION_IN_USE: Answer("The option {name} has orders or stock. Take it off sale instead."),
    CatalogProblem.TOO_MANY_OPTIONS: Answer("An item has at most {most} options."),
    CatalogProblem.OPTION_REQUIRED: Answer("must be an option of the product, if its options are counted"),
    CatalogProblem.NO_PARTS: Answer("must have at least 1 entry"),
    CatalogProblem.TOO_MANY_PARTS: Answer("must have at most {most} entries"),
    CatalogProblem.PART_TWICE: Answer("must have each item once"),
    CatalogProblem.UNKNOWN_ITEM: Answer("is not an item of this branch"),
    CatalogProblem.CATEGORY_HAS_ITEMS: Answer("The category has items. Move them to another one first."),
    CatalogProblem.HAS_ORDERS: Answer("It has orders and cannot be deleted. Take it off sale instead."),
    CatalogProblem.IN_PACKAGE: Answer("It is in a package and cannot be deleted. Take it out of the package first."),
    CatalogProblem.ABOVE_STOCK: Answer("must be at most {left}, the quantity in stock"),
    CatalogProblem.STOCK_COUNTED: Answer("is counted already: change it with POST /items/{{uuid}}/stock-movements"),
    CatalogProblem.OF_OTHER_TYPE: Answer("belongs to a {type} only"),
}
