"""Of the settings of a business, as applications change them."""

from collections.abc import Mapping

from frontdesk.apis.problem_answers.answer import Answer
from frontdesk.booking_page.problems import PageSettingsProblem
from frontdesk.day_close.problems import DrawerProblem
from frontdesk.messages.problems import MessageProblem
from frontdesk.payments.problems import PaymentSettingsProblem
from frontdesk.problems import ProblemKind
from frontdesk.reports.problems import RateProblem
from frontdesk.tenants.problems import BusinessProblem

SETTINGS_ANSWERS: Mapping[ProblemKind, Answer] = {
    BusinessProblem.CURRENCY_BY_OWNER: Answer(
        "is not changed by applications: an owner changes it in the dashboard, before the first sale"
    ),
    DrawerProblem.TOO_MANY: Answer("is too many drawers"),
    PageSettingsProblem.TOO_MANY_ORIGINS: Answer("must have at most {most} entries"),
    DrawerProblem.NEEDS_SHIFTS: Answer("needs shifts of cashiers: with several drawers own_shifts is true"),
    PageSettingsProblem.NOT_AN_ORIGIN: Answer("must be addresses such as https://www.layan.example"),
    MessageProblem.QUIET_TIME_IS_HALF: Answer("is required: quiet_from and quiet_until come together"),
    MessageProblem.QUIET_TIME_IS_EMPTY: Answer("must be another time than quiet_from"),
    MessageProblem.UNKNOWN_PLACEHOLDER: Answer("has {typed}, which is not a placeholder of this message"),
    RateProblem.DAY_TAKEN: Answer("is the first day of another rate for the same"),
    RateProblem.UNKNOWN_STAFF: Answer("is not a staff member of this business"),
    RateProblem.UNKNOWN_ITEM: Answer("is not an item of this business"),
    RateProblem.TOO_MANY: Answer("A business has at most {most} commission rates."),
    RateProblem.WRONG_RATE: Answer("must be from 0 to 100, with at most two decimals"),
    PaymentSettingsProblem.UNKNOWN_BRANCH: Answer("is not a branch of this business"),
    PaymentSettingsProblem.CASHIER_CODE_WRONG: Answer("must have 1 to {most} characters that can be printed"),
    PaymentSettingsProblem.CASHIER_CODE_TAKEN: Answer("is the code of another cashier"),
    BusinessProblem.NAME_REQUIRED: Answer("must have a text without control characters"),
    BusinessProblem.NAME_TOO_LONG: Answer("must have at most {most} characters"),
    BusinessProblem.SLUG_TAKEN: Answer("is used by another business"),
    BusinessProblem.WRONG_SLUG: Answer("must be 2 to 60 lower-case letters, digits and hyphens"),
    BusinessProblem.TOO_MANY_SLUGS: Answer("has changed too often: send one of the earlier names"),
    BusinessProblem.UNKNOWN_COUNTRY: Answer("is not a country"),
    BusinessProblem.UNKNOWN_TIMEZONE: Answer("is not a time zone; send a name such as Asia/Riyadh"),
    BusinessProblem.UNKNOWN_CURRENCY: Answer("is not a currency that can be charged; send a code such as SAR"),
    BusinessProblem.WRONG_LANGUAGES: Answer("must be different codes such as ar and en"),
    BusinessProblem.TIMES_WOULD_MOVE: Answer(
        "would show coming bookings at other times of the day; send move_times true to confirm it"
    ),
    BusinessProblem.CURRENCY_HAS_SALES: Answer("cannot change after the first sale"),
    BusinessProblem.CURRENCY_HAS_FEWER_DECIMALS: Answer("has fewer decimals than the prices of the catalog"),
    BusinessProblem.NOTICE_TOO_LONG: Answer("must be fewer hours than customers can book ahead"),
    BusinessProblem.NOT_A_COLOUR: Answer("must be a colour of six hexadecimal digits, such as #7a4b2f"),
}
