from frontdesk.problems import ProblemKind, kind


class WebhookProblem(ProblemKind):
    TOO_MANY = kind(most=int)
    DISABLED = kind()
