"""Names of kinds and reasons on the pages of the catalogue."""

from frontdesk.i18n.texts import N_

KINDS = {"service": N_("Services"), "product": N_("Products"), "package": N_("Packages")}
ONE_KIND = {"service": N_("Service"), "product": N_("Product"), "package": N_("Package")}
REASONS = {
    "sale": N_("Sale"),
    "return": N_("Return"),
    "delivery": N_("Delivery"),
    "correction": N_("Count"),
    "loss": N_("Loss"),
    "opening": N_("Opening stock"),
    "oversold": N_("Sold without stock"),
}
