from frontdesk.problems import ProblemKind, kind


class PictureProblem(ProblemKind):
    TOO_LARGE = kind(megabytes=int)
    TOO_MANY_PIXELS = kind(millions=int)
    NOT_A_PICTURE = kind()
    NOT_SAVED = kind()
    UNAVAILABLE = kind(seconds=int)
