from collections.abc import Mapping

from frontdesk.http.problems import BodyProblem, KeyProblem, RequestProblem, ServiceProblem, ValueProblem
from frontdesk.i18n.texts import N_
from frontdesk.net.problems import UrlProblem
from frontdesk.problems import ProblemKind
from frontdesk.values.problems import PhoneProblem

_FILL_IN = N_("Fill in this field.")
_CHOOSE = N_("Choose one from the list.")
_CHECK = N_("Check this field.")
_DATE = N_("Enter a date such as 2026-12-31.")
_AMOUNT = N_("Enter an amount such as 12.50.")
_PHONE = N_("Enter a phone number as it is dialed here, or with + and the country code.")
_URL = N_("Enter an address such as https://www.example.com.")
_HOST = N_("The host name in this address is wrong.")
_INVALID = N_("The request is not valid. Reload the page and try again.")
_REUSED = N_("This form was already submitted with other values. Reload the page before you submit it again.")
_BUSY = N_("The service is busy at the moment. Nothing was changed. Try again in a second.")

HTTP_TEXTS: Mapping[ProblemKind, str] = {
    ValueProblem.REQUIRED: _FILL_IN,
    ValueProblem.REQUIRED_BY_OTHER_NAME: _FILL_IN,
    ValueProblem.EMPTY: _FILL_IN,
    ValueProblem.UNSTORABLE: N_("This text has characters that cannot be stored. Type it again."),
    ValueProblem.TOO_SHORT: N_("Use at least %(least)s characters."),
    ValueProblem.TOO_LONG: N_("Use at most %(most)s characters."),
    ValueProblem.NO_ENTRY: N_("Select at least 1."),
    ValueProblem.TOO_FEW_ENTRIES: N_("Select at least %(least)s."),
    ValueProblem.TOO_MANY_ENTRIES: N_("Select at most %(most)s."),
    ValueProblem.NOT_OBJECT: _CHECK,
    ValueProblem.NOT_LIST: _CHECK,
    ValueProblem.NOT_TEXT: _FILL_IN,
    ValueProblem.NOT_BOOLEAN: _CHECK,
    ValueProblem.NOT_INTEGER: N_("Enter a whole number."),
    ValueProblem.BELOW: N_("Enter %(least)s or more."),
    ValueProblem.ABOVE: N_("Enter %(most)s or less."),
    ValueProblem.NOT_BETWEEN: N_("Enter a number from %(least)s to %(most)s."),
    ValueProblem.NOT_UUID: _CHOOSE,
    ValueProblem.NOT_ONE_OF: _CHOOSE,
    ValueProblem.NOT_THE_ONLY: _CHOOSE,
    ValueProblem.NOT_NUMBER: _AMOUNT,
    ValueProblem.TOO_MANY_DIGITS: _AMOUNT,
    ValueProblem.NOT_AMOUNT: _AMOUNT,
    ValueProblem.NOT_PERCENTAGE: N_("Enter a percentage such as 15."),
    ValueProblem.NOT_DIGITS: N_("Enter %(count)s digits."),
    ValueProblem.NOT_COUNTRY: N_("Choose a country."),
    ValueProblem.NOT_DATE: _DATE,
    ValueProblem.NO_SUCH_DATE: _DATE,
    ValueProblem.NOT_MOMENT: _CHECK,
    ValueProblem.NO_SUCH_MOMENT: _CHECK,
    ValueProblem.OUTSIDE_YEARS: N_("Enter a value between %(first)s and %(last)s."),
    ValueProblem.AFTER: N_("The first day must not be after the last."),
    ValueProblem.NO_MATCH: _CHECK,
    ValueProblem.NOT_POSITION: _CHECK,
    ValueProblem.INVALID: _CHECK,
    PhoneProblem.NOT_A_NUMBER: _PHONE,
    PhoneProblem.NO_SUCH_REGION: N_("Choose a country."),
    PhoneProblem.TOO_LONG: _PHONE,
    PhoneProblem.OTHER_CHARACTERS: _PHONE,
    PhoneProblem.REQUIRED_WITH_REGION: _PHONE,
    PhoneProblem.REGION_REQUIRED: N_("Choose a country."),
    UrlProblem.TOO_LONG: N_("Use at most %(most)s characters."),
    UrlProblem.UNSENDABLE: _URL,
    UrlProblem.NOT_A_URL: _URL,
    UrlProblem.OTHER_SCHEME: N_("Enter an address that begins with https:// or http://."),
    UrlProblem.HAS_CREDENTIALS: N_("Leave the user name and the password out of the address."),
    UrlProblem.HAS_FRAGMENT: N_("Leave the # and what follows it out of the address."),
    UrlProblem.WRONG_HOST: _HOST,
    UrlProblem.WRONG_IPV6: _HOST,
    UrlProblem.WRONG_IPV4: _HOST,
    UrlProblem.WRONG_PORT: N_("Use port 80, 443, or 1024 and above."),
    UrlProblem.WRONG_PATH: _URL,
    UrlProblem.PRIVATE_HOST: N_("This address is in a private network."),
    UrlProblem.MULTICAST_HOST: _HOST,
    BodyProblem.EMPTY: _INVALID,
    BodyProblem.TOO_MANY_VALUES: _INVALID,
    BodyProblem.NOT_OBJECT: _INVALID,
    BodyProblem.TOO_DEEP: _INVALID,
    BodyProblem.TOO_LARGE_NUMBER: _INVALID,
    BodyProblem.NOT_UTF8: _INVALID,
    BodyProblem.NOT_JSON: _INVALID,
    BodyProblem.OTHER_TYPE: _INVALID,
    BodyProblem.OUT_OF_RANGE: N_("A value is out of range."),
    BodyProblem.MALFORMED_FORM: _INVALID,
    BodyProblem.MALFORMED_PARTS: _INVALID,
    BodyProblem.QUERY_NOT_ENCODED: _INVALID,
    BodyProblem.TOO_MANY_PARAMETERS: _INVALID,
    RequestProblem.WRONG_METHOD: N_("The page does not exist or was removed."),
    RequestProblem.TOO_LARGE: N_(
        "Nothing was saved. Go back and choose a smaller file: what you typed is still there."
    ),
    RequestProblem.TOO_SLOW: N_("The form was not received in time. Send it again."),
    RequestProblem.REMOVED: N_("The page does not exist or was removed."),
    RequestProblem.REPLACED: N_("The page does not exist or was removed."),
    RequestProblem.DRY_RUN: _INVALID,
    RequestProblem.DRY_RUN_VALUE: _INVALID,
    RequestProblem.TOO_MANY: N_("Too many requests. Try again in %(seconds)s s."),
    KeyProblem.SENT_TWICE: _INVALID,
    KeyProblem.UNBALANCED_QUOTE: _INVALID,
    KeyProblem.NOT_PRINTABLE: _INVALID,
    KeyProblem.REUSED: _REUSED,
    KeyProblem.NOT_DECRYPTED: _REUSED,
    KeyProblem.IN_USE: _REUSED,
    ServiceProblem.INTERNAL: N_("Nothing was changed. Try again in a moment."),
    ServiceProblem.TOO_MANY_BODIES: _BUSY,
    ServiceProblem.CONCURRENT: _BUSY,
    ServiceProblem.DATABASE_UNAVAILABLE: N_("The database is unavailable. Try again shortly."),
    ServiceProblem.TOO_MANY_WAITING: _BUSY,
    ServiceProblem.TOO_LONG: N_("The request took too long. Try again shortly."),
}
