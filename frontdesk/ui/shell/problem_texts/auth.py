"""Of accounts, sign-in, members, operators and API clients."""

from collections.abc import Mapping

from frontdesk.auth.problems import (
    AccountProblem,
    BudgetProblem,
    ClientProblem,
    FactorProblem,
    LinkProblem,
    MemberProblem,
    OperatorProblem,
    PinProblem,
    SignInProblem,
    ThrottleProblem,
)
from frontdesk.i18n.texts import N_
from frontdesk.net.problems import EmailProblem
from frontdesk.problems import ProblemKind

_ATTEMPTS = N_("Too many attempts. Try again in %(seconds)s s.")
_NO_MAIL = N_("No mail can be sent to this address. Check the part after the @ sign.")

AUTH_TEXTS: Mapping[ProblemKind, str] = {
    ThrottleProblem.ATTEMPTS: _ATTEMPTS,
    ThrottleProblem.FAILURES: _ATTEMPTS,
    ThrottleProblem.FAILURES_OF_CLIENT: _ATTEMPTS,
    ThrottleProblem.TOKENS: _ATTEMPTS,
    ThrottleProblem.RECEIPTS_OF_USER: N_(
        "You have mailed many receipts in the last minute. Try again in %(seconds)s s."
    ),
    ThrottleProblem.MAILS_OF_RECEIPT: N_(
        "This receipt was mailed several times in the last minute. Try again in %(seconds)s s."
    ),
    ThrottleProblem.MAILS: N_("Too many mails were sent to this address. Try again in an hour."),
    LinkProblem.INVITATION: N_(
        "This invitation was used or withdrawn, or is too old. If you have joined, sign in. If not, ask for a new one."
    ),
    LinkProblem.SIGN_UP: N_("This link was used already, or it is too old. Sign in, or sign up again."),
    LinkProblem.PASSWORD_RESET: N_("This link was used already, or it is too old. Ask for a new one."),
    LinkProblem.EMAIL_VERIFICATION: N_(
        "This link was used already, is too old, or belongs to another account. Ask for a new one."
    ),
    AccountProblem.NAME_REQUIRED: N_("Fill in this field."),
    AccountProblem.NAME_TOO_LONG: N_("Use at most %(most)s characters."),
    AccountProblem.EMAIL_TAKEN: N_("This is already in use. Choose another one."),
    AccountProblem.EMAIL_KNOWN: N_("There is an account with this e-mail address. Sign in with it."),
    AccountProblem.EMAIL_VERIFIED_BY_OTHER: N_(
        "Another account has verified this e-mail address. Sign in with that account."
    ),
    AccountProblem.EMAIL_NOT_VERIFIED: N_("This user has not verified their e-mail address yet."),
    AccountProblem.EMAIL_VERIFIED: N_("This e-mail address is already verified."),
    AccountProblem.SAME_EMAIL: N_("This is your address already."),
    AccountProblem.PASSWORD_TOO_SHORT: N_("Use at least %(least)s characters."),
    AccountProblem.PASSWORD_TOO_LONG: N_("Use at most %(most)s characters."),
    AccountProblem.PASSWORD_TOO_EASY: N_(
        "This password is too easy to guess. Choose another one, such as four unrelated words."
    ),
    AccountProblem.PASSWORD_LEAKED: N_(
        "This password is in lists of leaked passwords. Choose another one, such as four unrelated words."
    ),
    AccountProblem.PASSWORD_PERSONAL: N_("Choose a password without your name, e-mail address or business name."),
    AccountProblem.NOT_YOUR_PASSWORD: N_("This is not your password."),
    AccountProblem.NOT_PASSWORD_OF_ACCOUNT: N_("This is not the password of this account. Sign in first."),
    AccountProblem.CODE_REQUIRED: N_("Enter the code of your second factor."),
    AccountProblem.IS_DEVELOPER: N_("You are already a developer."),
    SignInProblem.WRONG_CREDENTIALS: N_("The e-mail address or password is wrong."),
    SignInProblem.OVER: N_("Your sign-in took too long or failed too often. Sign in again."),
    SignInProblem.PASSKEY_REFUSED: N_("This passkey was not accepted."),
    SignInProblem.UNREADABLE_PASSKEY: N_("This passkey was not accepted."),
    FactorProblem.SET_UP_TOO_LATE: N_("The set-up took too long. Scan the new picture."),
    FactorProblem.WRONG_FIRST_CODE: N_("This code is wrong. Check that the clock of the phone is right."),
    FactorProblem.APP_EXISTS: N_("This app is already set up."),
    FactorProblem.PASSKEY_EXISTS: N_("This passkey is already in use."),
    FactorProblem.TOO_MANY: N_("There are %(most)s already. Remove one first."),
    FactorProblem.OPERATOR_NEEDS_ONE: N_("An operator needs a second factor. Add another one first."),
    FactorProblem.NONE: N_("This user has no second factor."),
    FactorProblem.WRONG_CODE: N_("This code is wrong or was already used."),
    PinProblem.NOT_DIGITS: N_("Enter %(least)s to %(most)s digits."),
    PinProblem.TOO_EASY: N_("This PIN is too easy to guess. Choose one without a sequence, a repetition or a year."),
    PinProblem.NO_APPROVER: N_("Choose who allows it: an owner or a manager with a PIN."),
    PinProblem.MISSING: N_("An owner or a manager has to allow this with their PIN."),
    PinProblem.WRONG: N_("Wrong PIN. Tries left before a pause: %(left)s."),
    PinProblem.PAUSED: N_("Too many wrong PINs. Try again in %(minutes)s min."),
    PinProblem.LOCKED: N_("This PIN was wrong too often and no longer works. Its owner has to set a new one."),
    MemberProblem.IS_MEMBER: N_("This person is a member already. Change the role in the list of members."),
    MemberProblem.OTHER_EMAIL_INVITED: N_("This invitation is for another e-mail address."),
    MemberProblem.WITHDRAWN_BY_OWNER: N_("Only an owner can withdraw this invitation."),
    MemberProblem.MANAGED_BY_OWNER: N_("Only an owner can manage owners and managers."),
    MemberProblem.LAST_OWNER: N_("This is the last owner. Make another member an owner first."),
    OperatorProblem.DISABLED: N_("This user cannot sign in. Enable the user first."),
    OperatorProblem.EMAIL_NOT_VERIFIED: N_("This user has not verified their e-mail address yet."),
    OperatorProblem.LAST_ONE: N_("This is the last operator. Make another user an operator first."),
    ClientProblem.WRONG_CREDENTIALS: N_("The client id or client secret is wrong."),
    ClientProblem.UNKNOWN_SCOPE: N_("'%(scope)s' is not a scope"),
    ClientProblem.SCOPE_REQUIRED: N_("Select at least 1."),
    BudgetProblem.USED_UP: N_("%(used)s of %(allowed)s records are read today."),
    ClientProblem.SCOPES_NOT_APPROVED: N_("The business has not approved all of this access."),
    ClientProblem.EXPIRES_IN_PAST: N_("Choose a day in the future."),
    ClientProblem.UNKNOWN_BRANCH: N_("Choose a branch."),
    EmailProblem.TOO_LONG: N_("Use at most %(most)s characters."),
    EmailProblem.NOT_AN_ADDRESS: N_("Enter an e-mail address such as name@example.com."),
    EmailProblem.NO_DOMAIN: _NO_MAIL,
    EmailProblem.NO_MAIL: _NO_MAIL,
}
