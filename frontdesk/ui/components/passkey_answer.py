from typing import Annotated

from msgspec import Meta

PasskeyAnswer = Annotated[str, Meta(max_length=20_000)]
