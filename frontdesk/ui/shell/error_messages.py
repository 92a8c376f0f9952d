"""Messages of `http` and of the rows of an import that a form can show, listed here for translation.

Numbers are written as {n} and quoted values as {q}, as error_wording.translate_error looks them up.
"""

from frontdesk.i18n.texts import N_

ERRORS = (
    N_("Enter a date such as {n}-{n}-{n}."),
    N_("Enter an amount such as {n}.{n}."),
    N_("Enter a percentage such as {n}."),
    N_("Enter a number from {n} to {n}."),
    N_("The database is unavailable. Try again shortly."),
    N_("Enter an amount below the price."),
)
