"""A page that has another address now."""

from frontdesk.http.responses import Response


class PermanentRedirect(Exception):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def respond(self) -> Response:
        """Not kept by browsers: the earlier address can become the present one again."""
        return Response(b"", 308, {"location": self.path, "cache-control": "no-cache"})
