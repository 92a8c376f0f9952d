"""The colours that a business can choose for its pages and messages, and its own."""

from frontdesk.i18n.texts import N_

OWN_COLOUR = "own"
COLOURS = (
    ("#17594f", N_("Pine")),
    ("#7a2258", N_("Fig")),
    ("#b0355f", N_("Rose")),
    ("#a4502c", N_("Clay")),
    ("#8a6a3a", N_("Sand")),
    ("#5d6b1f", N_("Olive")),
    ("#146c86", N_("Sea")),
    ("#2460b8", N_("Sky")),
    ("#5a48a8", N_("Iris")),
    ("#4a2545", N_("Plum")),
    ("#41525c", N_("Slate")),
    ("#22282b", N_("Coal")),
)


def chosen_colour(chosen: str, own: str | None) -> str | None:
    """One of the list, or the own one as people copy it: #6B2D5C, 6b2d5c, or #fff for #ffffff."""
    text = own if chosen == OWN_COLOUR else chosen
    if not text:
        return None
    digits = text.strip().lower().removeprefix("#")
    return "#" + ("".join(digit * 2 for digit in digits) if len(digits) == 3 else digits)
