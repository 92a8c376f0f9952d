from frontdesk.problems import ProblemKind, kind


class CatalogProblem(ProblemKind):
    """Of items, packages and categories."""

    NAME_REQUIRED = kind()
    NAME_TAKEN = kind()  # by another category of the branch
    NOT_AN_AMOUNT = kind()
    NEGATIVE_AMOUNT = kind()
    TOO_MANY_DECIMALS = kind(most=int)
    OFFER_NOT_BELOW_PRICE = kind()
    OFFER_ENDS_BEFORE = kind()
    CODE_TAKEN = kind(name=str)  # by the record of this name
    CODE_TWICE = kind()
    UNKNOWN_BRANCH = kind()
    UNKNOWN_CATEGORY = kind()
    UNKNOWN_OTHER_CATEGORY = kind()
    UNKNOWN_TAX_CLASS = kind()
    MINUTES_REQUIRED = kind()
    WRONG_MINUTES = kind(least=int, most=int)
    WRONG_NUMBER = kind(least=int, most=int)
    WRONG_PERCENTAGE = kind()
    STAFF_LEFT = kind()
    NOT_A_PERFORMER = kind()
    TOO_MANY_OPTIONS = kind(most=int)
    OTHER_OPTIONS = kind()  # than those of the item
    OPTION_IN_USE = kind(name=str)
    OPTION_REQUIRED = kind()
    NO_PARTS = kind()
    TOO_MANY_PARTS = kind(most=int)
    PART_TWICE = kind()
    UNKNOWN_ITEM = kind()
    CATEGORY_HAS_ITEMS = kind()
    HAS_ORDERS = kind()
    IN_PACKAGE = kind()
    ABOVE_STOCK = kind(left=int)
    STOCK_COUNTED = kind()  # so that it changes by movements only
    OF_OTHER_TYPE = kind(type=str)  # the only one that has the field
