from frontdesk.problems import ProblemKind, kind


class MethodProblem(ProblemKind):
    """Why a payment has no usable payment method."""

    REQUIRED = kind()
    UNKNOWN = kind()
    UNAVAILABLE = kind()  # the application that provides it is no longer installed
    AMBIGUOUS = kind(payment_method_ids=list)


class PaymentSettingsProblem(ProblemKind):
    NAME_REQUIRED = kind()
    NAME_TOO_LONG = kind(most=int)
    NAME_TAKEN = kind()
    TYPE_REQUIRED = kind()
    NAMED_BY_APPLICATION = kind()
    APPLICATION_GONE = kind()
    OF_APPLICATION = kind()
    HAS_PAYMENTS = kind()
    UNKNOWN_BRANCH = kind()
    CASHIER_CODE_WRONG = kind(most=int)
    CASHIER_CODE_TAKEN = kind()
