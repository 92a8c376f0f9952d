from frontdesk.problems import ProblemKind, kind


class ArchiveProblem(ProblemKind):
    NOT_AN_ARCHIVE = kind()
    OTHER_FORMAT = kind(format=int, known=int)
    DAMAGED = kind()
    PICTURES_UNAVAILABLE = kind(seconds=int)


class ExportProblem(ProblemKind):
    TOO_MANY_OPEN = kind(most=int, seconds=int)
    TOO_MANY_STORED = kind(most=int, seconds=int)  # until the first of them expires
