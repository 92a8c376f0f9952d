"""The error messages of the layers below that a form can show, listed here for translation.

Numbers are written as {n} and quoted values as {q}, as i18n.translate_error looks them up.
"""

from frontdesk.ui.shell.i18n import N_

ERRORS = (
    N_("is required"),
    N_("must not be empty"),
    N_("must not be empty, nor hold characters that cannot be printed"),
    N_("must have at least {n} characters"),
    N_("must have at most {n} characters"),
    N_("must have at least {n} entry"),
    N_("must not contain NUL or unpaired surrogates"),
    N_("must be a date as YYYY-MM-DD"),
    N_("is no date of the calendar"),
    N_("must lie between {n} and {n}"),
    N_("must be in the future"),
    N_("must be a UUID"),
    N_("must be one of owner, manager, staff, cashier"),
    N_("{q} is not a scope"),
    N_("belongs to somebody already"),
    N_("is not a valid e-mail address"),
    N_("is not your password"),
    N_("is not the password of this account: sign in first"),
    N_("is known to attackers: choose one that nobody else uses, such as four unrelated words"),
    N_("is too easy to guess: choose one such as four unrelated words"),
    N_("must not be made of your own name, e-mail address or business"),
    N_("Only an owner may withdraw this invitation."),
    N_("Another account has verified this e-mail address. Sign in with that account."),
    N_("is not a branch of this business"),
    N_("is the last owner's: make somebody else an owner first"),
    N_("Only an owner may decide about owners and managers."),
    N_("The e-mail and password do not match."),
    N_("This invitation is for another e-mail address."),
    N_("Too many tries. Try again in {n} s."),
    N_("Too many people are signing in at the moment. Try again in {n} s."),
    N_("This business is suspended. Ask the operator of this service."),
    N_("must have at most {n} characters that can be printed"),
    N_("The database does not answer. Try again shortly."),
    N_("is false: switch the webhook on first"),
    N_("has a host on a private network"),
    N_("is not a valid URL"),
    N_("must begin with https:// or http://"),
    N_("must not contain a user name or password"),
    N_("has an invalid host name"),
    N_("would be webhook number {n}: delete one of the {n} first"),
)
