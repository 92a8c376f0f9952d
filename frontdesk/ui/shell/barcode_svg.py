"""A barcode as a drawing in a page."""

from markupsafe import Markup

from frontdesk.values.barcodes import bars

_HEIGHT, _MARGIN = 40, 11  # in modules; scanners need the white margin


def draw_barcode(code: str) -> Markup:
    """Empty if the code cannot be drawn."""
    drawn = bars(code)
    if not drawn:
        return Markup()
    width = sum(drawn[-1]) + 2 * _MARGIN
    path = "".join(f"M{left + _MARGIN} 0h{wide}v{_HEIGHT}h-{wide}z" for left, wide in drawn)
    return Markup(
        '<svg class="barcode-lines" viewBox="0 0 {} {}" shape-rendering="crispEdges" aria-hidden="true">'
        '<path d="{}"/></svg>'
    ).format(width, _HEIGHT, path)
