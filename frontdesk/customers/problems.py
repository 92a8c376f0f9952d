from frontdesk.problems import ProblemKind, kind


class CustomerProblem(ProblemKind):
    PHONE_TAKEN = kind()
    ERASED = kind()
    HAS_UPCOMING_VISITS = kind()
    SAME_CUSTOMER = kind()
    UNKNOWN_OTHER = kind()  # that is to be merged
    NO_PHOTO_CONSENT = kind()
    TOO_MANY_PHOTOS = kind(most=int)
