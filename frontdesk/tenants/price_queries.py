"""Parts of statements that read prices of the catalog, as the customer is charged them.

`{0}` is an item or a package; the statement joins `TAX` for it, or `TAX_OF` the CTE that it has made of `TAXES`.
"""

# An offer counts on its days only; the options of an item share its days.
OFFER = "offer_today({0}.offer_price, {0}.offer_from, {0}.offer_until, context.timezone)"
OFFER_OF_OPTION = "offer_today({1}.offer_price, {0}.offer_from, {0}.offer_until, context.timezone)"
# The rate of today of its tax class; without a class of its own, that of the default one.
TAXES = """(
    SELECT DISTINCT ON (tc.id) tc.id, tc.is_default, tr.rate
    FROM tax_classes tc JOIN tax_rates tr ON tr.tenant_id = $1 AND tr.class_id = tc.id
    WHERE tc.tenant_id = $1 AND tr.starts_on <= local_today(context.timezone)
    ORDER BY tc.id, tr.starts_on DESC)"""
TAX_OF = (
    "LEFT JOIN {1} tax ON CASE WHEN {0}.tax_class_id IS NULL THEN tax.is_default ELSE tax.id = {0}.tax_class_id END"
)
TAX = TAX_OF.format("{0}", TAXES)
# Of a price: what is charged for it, at a rate that was read before (`{1}`) or is joined as `tax`.
CHARGED_AT = "charged_price({0}, {1}, context.prices_include_tax, context.currency_decimals)"
CHARGED = CHARGED_AT.format("{0}", "tax.rate")
TAX_DOCUMENT = "json_build_object('rate', coalesce(tax.rate, 0), 'included', context.prices_include_tax)"
# About `items i`: whether it is sold without an option. One whose options are all off sale is not.
# Not EXISTS: its plan may read all options of the business.
BASE_SELLABLE = """(i.base_sellable OR (
        SELECT z.id FROM item_options z WHERE z.tenant_id = $1 AND z.item_id = i.id LIMIT 1) IS NULL)"""
