"""The colour of a business in mail: dark enough for white text on it, and light enough to be read on a dark page."""

DEFAULT_ACCENT = "#17594f"
_STEP = 0.92
_LEAST_CONTRAST = 4.5
_DARK_CONTRAST = 7.0  # links on a dark page are thin
_DARK_PAGE = 0.0105  # the luminance of #181d1a


def readable_accent(accent: str | None) -> str:
    """The colour, darkened until white text on it can be read."""
    red, green, blue = _channels(accent or DEFAULT_ACCENT)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < _LEAST_CONTRAST:
        red, green, blue = red * _STEP, green * _STEP, blue * _STEP
    return _hex(red, green, blue)


def text_on(colour: str) -> str:
    """White if it can be read on the colour, else black."""
    return "#fff" if 1.05 / (_luminance(*_channels(colour)) + 0.05) >= _LEAST_CONTRAST else "#000"


def light_accent(accent: str) -> str:
    """The colour, lightened until it can be read on a dark page."""
    red, green, blue = _channels(accent)
    while (_luminance(red, green, blue) + 0.05) / (_DARK_PAGE + 0.05) < _DARK_CONTRAST:
        red, green, blue = (255 - (255 - channel) * _STEP for channel in (red, green, blue))
    return _hex(red, green, blue)


def _channels(colour: str) -> tuple[float, float, float]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(red: float, green: float, blue: float) -> str:
    return f"#{int(red):02x}{int(green):02x}{int(blue):02x}"


def _luminance(red: float, green: float, blue: float) -> float:
    """Relative luminance, as WCAG defines it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red / 255, green / 255, blue / 255)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
