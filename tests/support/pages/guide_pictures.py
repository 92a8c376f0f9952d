"""The pictures of the guides, written by the tests that walk the pages they show. GUIDE_PICTURES=on writes them."""

import os
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Page

import frontdesk

ARE_WANTED = os.environ.get("GUIDE_PICTURES") == "on"
_FOLDER = Path(frontdesk.__file__).parent / "static" / "guides"


async def save_picture(page: Page, name: str) -> None:
    """Of what the browser shows, under the language of the page."""
    if not ARE_WANTED:
        return
    language = await page.get_attribute("html", "lang")
    shot = Image.open(BytesIO(await page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE, colors=64)
    _FOLDER.mkdir(exist_ok=True)
    shot.save(_FOLDER / f"{name}-{language}.png", optimize=True)
