"""What is wrong with a form is said where it is found, in English; these are the ones that a person can meet.

Numbers stand as {n} and quoted values as {q}, as language.fault_text looks them up.
"""

from frontdesk.ui.shell.i18n import mark

FAULTS = (
    mark("is required"),
    mark("must not be empty"),
    mark("must not be empty, nor hold characters that cannot be printed"),
    mark("must have at least {n} characters"),
    mark("must have at most {n} characters"),
    mark("must have at least {n} entry"),
    mark("must not contain NUL or unpaired surrogates"),
    mark("must be a date as YYYY-MM-DD"),
    mark("is no date of the calendar"),
    mark("must lie between {n} and {n}"),
    mark("must be in the future"),
    mark("must be a UUID"),
    mark("must be one of owner, manager, staff, cashier"),
    mark("{q} is not a scope"),
    mark("belongs to somebody already"),
    mark("is not a valid e-mail address"),
    mark("is not your password"),
    mark("is not the password of this account: sign in first"),
    mark("is known to attackers: choose one that nobody else uses, such as four unrelated words"),
    mark("is too easy to guess: choose one such as four unrelated words"),
    mark("must not be made of your own name, e-mail address or business"),
    mark("Only an owner may withdraw this invitation."),
    mark("Another account has proven this e-mail address. Sign in with that account."),
    mark("is not a branch of this business"),
    mark("is the last owner's: make somebody else an owner first"),
    mark("Only an owner may decide about owners and managers."),
    mark("The e-mail and password do not match."),
    mark("This invitation is for another e-mail address."),
    mark("Too many tries. Try again in {n} s."),
    mark("Too many people are signing in at the moment. Try again in {n} s."),
    mark("This business is suspended. Ask the operator of this service."),
    mark("must have at most {n} characters that can be printed"),
    mark("The database does not answer. Try again shortly."),
    mark("is false: switch the webhook on first"),
    mark("has a host on a private network"),
    mark("is no URL"),
    mark("must begin with https:// or http://"),
    mark("must not hold a user name or password"),
    mark("has a host that is no name"),
    mark("would be webhook number {n}: delete one of the {n} first"),
)
