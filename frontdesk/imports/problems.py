from frontdesk.problems import ProblemKind, kind


class FileProblem(ProblemKind):
    """Why a table cannot be read."""

    TOO_LARGE = kind(megabytes=int)
    TOO_MANY_ROWS = kind(most=int)
    TOO_MANY_COLUMNS = kind(most=int)
    CELL_TOO_LONG = kind(row=int, most=int)
    UNREADABLE_ROW = kind(row=int)
    NO_ROWS = kind()
    NOT_A_TABLE = kind()
    OLD_WORKBOOK = kind()
    DAMAGED_WORKBOOK = kind()
    WORKBOOK_TOO_LARGE = kind()
    NO_SHEET = kind()
    TOO_SLOW = kind()


class ImportProblem(ProblemKind):
    CHANGED = kind()
    COLUMN_TWICE = kind()
    NO_ROW = kind()
    UNDO_TOO_LATE = kind()
