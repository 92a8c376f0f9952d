import pytest

from frontdesk.values.barcodes import bars, check_digit, is_ean13

# Two codes that the standards and their descriptions draw.
EAN = "10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101"
CODE_128_P = "11101110110"


def drawn(code: str) -> str:
    lines = ["0"] * sum(bars(code)[-1])
    for place, width in bars(code):
        lines[place : place + width] = "1" * width
    return "".join(lines)


def test_an_ean_is_drawn() -> None:
    assert drawn("5901234123457") == EAN
    assert check_digit("590123412345") == 7


@pytest.mark.parametrize("code", ["5901234123450", "123", "5901234123457x", "٥٩٠١٢٣٤١٢٣٤٥٧", ""])
def test_other_codes_are_no_ean(code: str) -> None:
    assert not is_ean13(code)


def test_other_codes_are_drawn_as_code_128() -> None:
    code = drawn("PJJ123C")
    assert code.startswith("11010010000" + CODE_128_P)
    assert code.endswith("11101000110" + "1100011101011")  # the check character 55, and the end
    assert len(code) == 11 * 9 + 13


def test_letters_outside_code_128_are_not_drawn() -> None:
    assert bars("شامبو") == []
