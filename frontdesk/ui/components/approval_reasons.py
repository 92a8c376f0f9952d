from frontdesk.i18n.texts import N_

# Why a discount, a price or a return was allowed.
APPROVAL_REASONS = {
    "complaint": N_("complaint"),
    "regular": N_("regular customer"),
    "staff": N_("staff or family"),
    "wrong_price": N_("wrong price shown"),
    "other": N_("other"),
}
