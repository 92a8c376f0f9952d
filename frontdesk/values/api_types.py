"""Types of the values in responses, with the format that the OpenAPI description publishes.

The database writes the values; tests compare them with these formats.
"""

from typing import Annotated

from msgspec import Meta


def _formatted(name: str) -> Meta:
    return Meta(extra_json_schema={"format": name})


Timestamp = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$", extra_json_schema={"format": "date-time"})
]
LocalDateTime = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$", extra_json_schema={"format": "date-time"})
]
Day = Annotated[str, _formatted("date")]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
# Without the format "decimal": generators of other languages make a number of it, and cannot read the text.
Amount = Annotated[str, Meta(pattern=r"^-?\d+(\.\d+)?$")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]
Country = Annotated[str, Meta(pattern=r"^[A-Z]{2}$")]
NumberString = Annotated[str, Meta(pattern=r"^[1-9][0-9]*$")]
Url = Annotated[str, _formatted("uri")]
Email = Annotated[str, _formatted("idn-email")]
Localized = dict[Annotated[str, Meta(pattern=r"^[a-z]{2}$")], str]
