from frontdesk.problems import ProblemKind, kind


class PageSettingsProblem(ProblemKind):
    TOO_MANY_ORIGINS = kind(most=int)
    NOT_AN_ORIGIN = kind(typed=str)
