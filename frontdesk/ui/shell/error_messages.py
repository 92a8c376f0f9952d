"""The error messages of the layers below that a form can show, listed here for translation.

Numbers are written as {n} and quoted values as {q}, as i18n.translate_error looks them up.
"""

from frontdesk.ui.shell.i18n import N_

ERRORS = (
    N_("is required"),
    N_("must not be empty"),
    N_("must not be empty or contain unprintable characters"),
    N_("must have at least {n} characters"),
    N_("must have at most {n} characters"),
    N_("must have at least {n} entry"),
    N_("must not contain NUL or unpaired surrogates"),
    N_("must be a date in the format YYYY-MM-DD"),
    N_("is not a valid date"),
    N_("must be between {n} and {n}"),
    N_("must be in the future"),
    N_("must be a UUID"),
    N_("must be one of owner, manager, staff, cashier"),
    N_("{q} is not a scope"),
    N_("is already in use"),
    N_("is not a valid e-mail address"),
    N_("is not your password"),
    N_("is not the password of this account; sign in first"),
    N_("appears in lists of leaked passwords; choose another, such as four unrelated words"),
    N_("is too easy to guess; choose another, such as four unrelated words"),
    N_("must not contain your name, e-mail address or business name"),
    N_("Only an owner can withdraw this invitation."),
    N_("Another account has verified this e-mail address. Sign in with that account."),
    N_("is not a branch of this business"),
    N_("is that of the last owner; make another member an owner first"),
    N_("Only an owner can manage owners and managers."),
    N_("The e-mail address or password is wrong."),
    N_("This invitation is for another e-mail address."),
    N_("Too many attempts. Try again in {n} s."),
    N_("Too many sign-ins at the moment. Try again in {n} s."),
    N_("This business is suspended. Contact the operator of this service."),
    N_("must have at most {n} printable characters"),
    N_("The database is unavailable. Try again shortly."),
    N_("is false; enable the webhook first"),
    N_("has a host on a private network"),
    N_("is not a valid URL"),
    N_("must begin with https:// or http://"),
    N_("must not contain a user name or password"),
    N_("has an invalid host name"),
    N_("exceeds the maximum of {n} webhooks; delete one first"),
)
