from frontdesk.problems import ProblemKind, kind


class WebhookProblem(ProblemKind):
    TOO_MANY = kind(most=int)
    DISABLED = kind()
    UNKNOWN_BRANCH = kind()
    UNKNOWN_FIELD = kind(name=str, choices=list)  # of the records that the events are about


class OffReason(ProblemKind):
    """Why a webhook is disabled. It is stored with the webhook; `webhook_json.sql` says it in the API."""

    SWITCHED_OFF = kind()  # by a person
    NOT_REQUESTED = kind()  # by its application any more
    GONE = kind()  # the receiver answered 410
    NOTHING_ARRIVED = kind(days=int)
