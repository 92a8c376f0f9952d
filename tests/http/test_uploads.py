"""Forms with a file, received in pieces."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest

from frontdesk.http.body import ClientDisconnected
from frontdesk.http.problems import BodyProblem
from frontdesk.http.uploads import MAX_FIELD_BYTES, Upload, receive_upload
from frontdesk.problems import Problem

TYPE = 'multipart/form-data; boundary="a-boundary"'
FIELD = b'--a-boundary\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
FILE = b'--a-boundary\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\nX-Y: z\r\n\r\n%s\r\n'
END = b"--a-boundary--\r\n"


class PiecesSender:
    """A request whose body arrives in these pieces."""

    def __init__(self, pieces: Iterable[bytes], content_type: str | None = TYPE, *, is_cut_off: bool = False) -> None:
        self._messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": piece, "more_body": True} for piece in pieces
        ]
        self._messages.append({"type": "http.disconnect" if is_cut_off else "http.request"})
        self._content_type = content_type
        self.receive: Callable[[], Awaitable[Any]] = self._receive

    async def _receive(self) -> dict[str, Any]:
        return self._messages.pop(0)

    def header(self, name: bytes) -> str | None:
        return self._content_type if name == b"content-type" else None


async def received(sender: PiecesSender, max_bytes: int = 10_000) -> tuple[Upload, bytes]:
    upload = Upload()
    try:
        await receive_upload(sender, upload, max_bytes)
        return upload, upload.file.read()
    finally:
        upload.close()


async def test_a_file_arrives_as_it_was_sent_in_pieces_of_any_length() -> None:
    name, content = 'عملاء "1".csv', b"\x00\xff\r\n\r\n--\r\n-" + bytes(range(256))
    body = FIELD % (b"kind", "زبائن\r\n2".encode()) + FILE % (name.replace('"', "%22").encode(), content) + END
    for length in range(1, len(body) + 1):
        upload, file = await received(PiecesSender(body[at : at + length] for at in range(0, len(body), length)))
        assert (file, upload.size, upload.is_too_large) == (content, len(content), False)
        assert (upload.file_name, upload.fields) == (name, {"kind": ["زبائن\n2"]})


async def test_lines_that_almost_are_boundaries_belong_to_the_file() -> None:
    content = b"\r\n--a-bound\r\n--a-boundar\r\r\n\r\n--a-boundary-x\r\n--a-boundaryx\r\n-"
    body = FILE % (b"a", content) + END
    for length in range(1, len(body)):
        _, file = await received(PiecesSender([body[:length], body[length:]]))
        assert file == content


async def test_a_file_that_is_too_large_is_read_to_its_end_and_not_stored() -> None:
    upload, file = await received(
        PiecesSender([FILE % (b"a", b"x" * 300), FIELD % (b"kind", b"a"), END]), max_bytes=200
    )
    assert (upload.is_too_large, len(file) <= 200, upload.fields) == (True, True, {"kind": ["a"]})


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (None, END),
        ("text/plain; boundary=a-boundary", END),
        ("multipart/form-data", END),
        ("multipart/form-data; boundary=" + "a" * 300, END),
        (TYPE, FILE % (b"a", b"x")),
        (TYPE, b"no boundary"),
        (TYPE, b"--a-boundary\r\nContent-Disposition: form-data\r\n\r\na\r\n" + END),
        (TYPE, b"--a-boundary\r\nX: " + b"x" * 5000 + b"\r\n" + FIELD % (b"a", b"b") + END),
        (TYPE, FIELD % (b"a", b"x" * (MAX_FIELD_BYTES // 2 + 1)) * 2 + END),
        (TYPE, FIELD % (b"a", b"") * 501 + END),
        (TYPE, FIELD % (b"\xff", b"") + END),
        (TYPE, FIELD % (b"a", b"\xff") + END),
    ],
)
async def test_a_malformed_upload_is_refused(content_type: str | None, body: bytes) -> None:
    with pytest.raises(Problem) as refused:
        await received(PiecesSender([body], content_type))
    assert refused.value.kind is BodyProblem.MALFORMED_PARTS


async def test_a_sender_who_disconnects_is_no_error_of_the_form() -> None:
    with pytest.raises(ClientDisconnected):
        await received(PiecesSender([FILE % (b"a", b"x")], is_cut_off=True))
