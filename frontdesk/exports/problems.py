from frontdesk.problems import ProblemKind, kind


class ArchiveProblem(ProblemKind):
    NOT_AN_ARCHIVE = kind()
    OTHER_FORMAT = kind(format=int, known=int)
    DAMAGED = kind()
    PICTURES_UNAVAILABLE = kind(seconds=int)
