"""The submitted values and the errors of a form that is shown again."""

from collections.abc import Mapping, Sequence

from frontdesk.http.forms import Fields


class FormState:
    """Empty for a form that is shown for the first time."""

    def __init__(self, values: Fields | None = None, errors: Mapping[str, Sequence[str]] | None = None) -> None:
        self.values = values or {}
        self.errors = errors or {}

    def value(self, name: str, default: object = "") -> str:
        """The default also for a field that the submitted form did not have, as the Undo of a move."""
        sent = self.values.get(name)
        return sent[-1] if sent else str(default or "")

    def is_checked(self, name: str, value: str, *, default: bool = False) -> bool:
        return value in self.values.get(name, []) if self.values else default

    def error(self, name: str) -> str | None:
        errors = self.errors.get(name)
        return errors[0] if errors else None

    def row_error(self, name: str) -> str | None:
        """The first error of a field that has one entry a row, for a form that shows it below the rows."""
        return self.error(name) or next((self.error(key) for key in self.errors if key.startswith(f"{name}.")), None)

    @property
    def first_invalid_field(self) -> str | None:
        """In the order of the page, in which a browser sends the fields. An error of both languages is at the first."""
        sent = list(self.values)

        def position(error: str) -> int:
            name = error.partition(".")[0]
            exact = (at for at, field in enumerate(sent) if field == name)
            in_a_language = (at for at, field in enumerate(sent) if field in (f"{name}_en", f"{name}_ar"))
            return next(exact, next(in_a_language, len(sent)))

        return min(self.errors, key=position, default=None)

    @property
    def general_errors(self) -> Sequence[str]:
        """Errors that belong to no field."""
        return self.errors.get("", [])
