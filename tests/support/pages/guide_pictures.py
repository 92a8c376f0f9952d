"""The pictures of the guides, written by the tests that walk the pages they show. GUIDE_PICTURES=on writes them.

A picture holds the texts of the product that are read in it, so that a test finds one that shows an earlier text.
"""

import os
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Page

import frontdesk
from frontdesk.i18n.catalog import load_catalog

ARE_WANTED = os.environ.get("GUIDE_PICTURES") == "on"
FOLDER = Path(frontdesk.__file__).parent / "static" / "guides"
_COLORS = 64


async def save_picture(page: Page, name: str) -> None:
    """Of what the browser shows, under the language of the page."""
    if not ARE_WANTED:
        return
    language = await page.get_attribute("html", "lang") or ""
    shown = {line.strip() for line in (await page.inner_text("body")).splitlines()} & product_texts(language)
    taken = Image.open(BytesIO(await page.screenshot(animations="disabled")))
    shot = taken.convert("P", palette=Image.Palette.ADAPTIVE, colors=_COLORS).convert("RGB")
    FOLDER.mkdir(exist_ok=True)
    texts = "\n".join(sorted(shown)).encode()
    shot.save(FOLDER / f"{name}-{language}.webp", lossless=True, xmp=texts)


def texts_of_picture(path: Path) -> set[str]:
    """The texts of the product that it shows."""
    with Image.open(path) as picture:
        return set(picture.info["xmp"].decode().splitlines())


@cache
def product_texts(language: str) -> frozenset[str]:
    """All that pages can say in a language."""
    found = {message.id if language == "en" else message.string for message in load_catalog("ar") if message.id}
    return frozenset(text for text in found if isinstance(text, str))
