"""The picture that messengers show for a business without a picture of its own: its logo on its colour."""

import asyncio
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageOps

from frontdesk.http.responses import Response
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.pictures import load_picture
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.colours import readable_accent

pages = Pages(PublicContext)
_SIZE = (1200, 630)  # what messengers expect
_LOGO = 300
_COLOUR = "#6b2d5c"


@pages.get("/book/{slug}/card.png", PUBLIC)
async def show_card(context: PublicContext, slug: str) -> Response:
    business = await context.open_business(slug)
    logo = None
    if business.logo_id is not None:
        logo = await load_picture(context, business.tenant_id, business.logo_id, small=True)
    drawn = await asyncio.to_thread(_draw, readable_accent(business.accent or _COLOUR), logo.content if logo else None)
    headers = {"cache-control": "public, max-age=86400", "x-content-type-options": "nosniff"}
    return Response(drawn, 200, headers, "image/png")


@lru_cache(maxsize=64)  # drawing takes a tenth of a second, and the page is public
def _draw(colour: str, logo: bytes | None) -> bytes:
    """Without text, because the title stands beside the picture, and letters of every language need their fonts."""
    card = Image.new("RGB", _SIZE, colour)
    draw = ImageDraw.Draw(card)
    middle = (_SIZE[0] // 2, _SIZE[1] // 2)
    draw.circle(middle, _LOGO * 0.7, fill="#ffffff")
    if logo is not None:
        picture = ImageOps.contain(Image.open(BytesIO(logo)).convert("RGBA"), (_LOGO, _LOGO))
        card.paste(picture, (middle[0] - picture.width // 2, middle[1] - picture.height // 2), picture)
    else:
        _draw_calendar(draw, middle, colour)
    encoded = BytesIO()
    card.save(encoded, "PNG", optimize=True)
    return encoded.getvalue()


def _draw_calendar(draw: ImageDraw.ImageDraw, middle: tuple[int, int], colour: str) -> None:
    x, y = middle
    draw.rounded_rectangle((x - 100, y - 90, x + 100, y + 105), 20, outline=colour, width=14)
    draw.line((x - 100, y - 35, x + 100, y - 35), fill=colour, width=14)
    for side in (-50, 50):
        draw.line((x + side, y - 120, x + side, y - 70), fill=colour, width=14)
    draw.line([(x - 45, y + 35), (x - 12, y + 66), (x + 50, y + 2)], fill=colour, width=16, joint="curve")
