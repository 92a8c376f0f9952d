"""The lists of records that say what has changed, and of which some fields can be asked for."""

LISTS = (
    "/waiting-list",
    "/orders",
    "/transactions",
    "/customers",
    "/items",
    "/packages",
    "/categories",
    "/staff",
    "/branches",
    "/payment-methods",
    "/tax-classes",
)
