from frontdesk.problems import ProblemKind, kind


class PdfProblem(ProblemKind):
    FONT_MISSING = kind(reason=str)
