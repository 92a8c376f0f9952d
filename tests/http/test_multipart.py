"""Forms with files, as browsers write them and as nobody should."""

import base64
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from frontdesk.http.forms import read_form
from frontdesk.problems import Problem

PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n%s\r\n'


def test_fields_and_files_stand_beside_each_other() -> None:
    raw = PART % (b"name", "ميزان".encode()) + PART % (b"name", b"a\r\nb") + FILE % b"\x00\r\n--\xff" + b"--x--\r\n"
    assert read_form(raw) == {"name": ["ميزان", "a\nb"], "file": [base64.b64encode(b"\x00\r\n--\xff").decode()]}


@given(st.binary(max_size=200).filter(lambda content: b"\r\n--x" not in content))
def test_a_file_arrives_as_it_was_sent(content: bytes) -> None:
    (sent,) = read_form(FILE % content + b"--x--\r\n")["file"]
    assert base64.b64decode(sent) == content


@pytest.mark.parametrize(
    "raw",
    [
        b"--x\r\n",
        b"--x\r\n\r\n--x--",
        PART % (b"name", b"cut off"),
        b"--x\r\nContent-Disposition: attachment\r\n\r\na\r\n--x--",
        PART % (b"name", b"\xff\xfe") + b"--x--",
        PART % (b"name", b"a") * 600 + b"--x--",
    ],
)
def test_a_malformed_multipart_body_is_refused(raw: bytes) -> None:
    with pytest.raises(Problem, match="MALFORMED_PARTS"):
        read_form(raw)


@given(st.binary(max_size=300).map(lambda rest: b"--x\r\n" + rest))
def test_any_other_multipart_body_is_read_or_refused(raw: bytes) -> None:
    with suppress(Problem):
        read_form(raw)
