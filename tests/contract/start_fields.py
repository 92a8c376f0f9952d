"""The fields of the explanation of a start."""

from tests.contract.kinds import BOOLEAN, DATE, INTEGER, NAME, NUMERAL, STRING, UUID_, Array, Fields, Nullable, Record

_START_REASON = Record(
    {
        "code": NAME,
        "message": STRING,
        "date": Nullable(DATE),
        "note": Nullable(STRING),
        "hours": Array(Record({"from": STRING, "to": STRING})),
        "start": Nullable(STRING),
        "end": Nullable(STRING),
        "until": Nullable(STRING),
        "minutes": Nullable(INTEGER),
        "starts": Array(STRING),
        "order": Nullable(
            Record(
                {
                    "id": UUID_,
                    "order_number": NUMERAL,
                    "customer": Nullable(Record({"id": UUID_, "first_name": NAME, "last_name": Nullable(NAME)})),
                }
            )
        ),
    }
)
EXPLAINED_START: Fields = {
    "start": STRING,
    "bookable": BOOLEAN,
    "staff": Array(
        Record(
            {
                "staff": Record({"id": UUID_, "name": Nullable(NAME)}),
                "bookable": BOOLEAN,
                "reasons": Array(_START_REASON),
            }
        )
    ),
    "nearest": Array(Record({"start": STRING, "staff_id": UUID_})),
}
