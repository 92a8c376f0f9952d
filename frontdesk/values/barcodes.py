"""Barcodes as bars: EAN-13 for numbers with the right check digit, Code 128 for other codes."""

from collections.abc import Iterator, Sequence

EAN_DIGITS = 13
# The widths of bars and spaces in turn, by ISO/IEC 15420 and 15417.
_EAN_LEFT = ("3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112")
_EAN_PARITY = (0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010)
_CODE_128 = tuple(
    """
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122
123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323
131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131
213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122
141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112
124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141
411131 211412 211214 211232""".split()  # noqa: SIM905 - a list of a hundred strings would fill a page
)
_START_B, _STOP = 104, "2331112"


def is_ean13(code: str) -> bool:
    return len(code) == EAN_DIGITS and _is_number(code) and check_digit(code[:-1]) == int(code[-1])


def check_digit(digits: str) -> int:
    """The thirteenth digit of an EAN-13."""
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return -total % 10


def bars(code: str) -> list[tuple[int, int]]:
    """The place and the width of each bar, in modules. Empty if the code has characters that cannot be drawn."""
    if is_ean13(code):
        return list(_bars_of(_ean_widths(code)))
    if not code or not all(" " <= letter <= "~" for letter in code):
        return []
    return list(_bars_of(_code_128_widths(code)))


def _ean_widths(code: str) -> Iterator[str]:
    """The first digit is in the pattern of the next six: each is drawn as it is or backwards."""
    parity = _EAN_PARITY[int(code[0])]
    yield "111"
    for index, digit in enumerate(code[1:7]):
        widths = _EAN_LEFT[int(digit)]
        yield widths[::-1] if parity >> (5 - index) & 1 else widths
    yield "11111"
    for digit in code[7:]:
        yield _EAN_LEFT[int(digit)]
    yield "111"


def _code_128_widths(code: str) -> Iterator[str]:
    values = [_START_B, *(ord(letter) - 32 for letter in code)]
    check = (values[0] + sum(index * value for index, value in enumerate(values))) % 103
    for value in (*values, check):
        yield _CODE_128[value]
    yield _STOP


def _bars_of(parts: Iterator[str] | Sequence[str]) -> Iterator[tuple[int, int]]:
    """Bars and spaces take turns; a part of the left half of an EAN begins with a space."""
    position, is_bar = 0, True
    for width in "".join(parts):
        if is_bar:
            yield position, int(width)
        position, is_bar = position + int(width), not is_bar


def _is_number(code: str) -> bool:
    return code.isascii() and code.isdigit()
