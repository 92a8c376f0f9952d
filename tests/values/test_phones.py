import random
import re
import time

import phonenumbers
import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.values.phones import PhoneError, digits_of, international_digits, parse_phone

# Any code point, unpaired surrogates and NUL included, with what numbers are made of mixed in often.
_ANYTHING = st.text(st.characters(exclude_categories=())) | st.text(st.sampled_from("+0٠۹66501234 -.()\x00\ud800x"))


@pytest.mark.parametrize(
    "number",
    [
        "0501234567",
        "501234567",
        "+966501234567",
        "966501234567",
        "00966501234567",
        "+966 (0)50 123-4567",
        "050.123.4567",
        "(050) 123 4567",
        "٠٥٠١٢٣٤٥٦٧",
        "+٩٦٦٥٠١٢٣٤٥٦٧",
        "٠٠٩٦٦٥٠١٢٣٤٥٦٧",
        "۰۵۰۱۲۳۴۵۶۷",
        "\u2066+966 50 123 4567\u2069",
        "050\u2011123\u00a04567",
        "＋966501234567",
    ],
)
def test_every_way_of_writing_a_saudi_number_is_stored_alike(number: str) -> None:
    assert parse_phone(number, "SA") == "+966501234567"


@pytest.mark.parametrize(
    ("number", "country", "stored"),
    [
        ("(202) 555-0123", "US", "+12025550123"),
        ("416 555 0123", "US", "+14165550123"),
        ("876 555 0123", "JM", "+18765550123"),
        ("07911 123456", "GB", "+447911123456"),
        ("07781 123456", "GG", "+447781123456"),
        ("8 701 123 4567", "KZ", "+77011234567"),
        ("06 1234 5678", "IT", "+390612345678"),
        ("06 698 12345", "VA", "+390669812345"),
        ("0037 123456", "JP", "+810037123456"),
        ("011 966 50 123 4567", "US", "+966501234567"),
    ],
)
def test_shared_calling_codes_and_leading_zeros_are_read_by_the_country(number: str, country: str, stored: str) -> None:
    assert parse_phone(number, country) == stored


@pytest.mark.parametrize("country", ["SA", "sa", "Us"])
@pytest.mark.parametrize("number", ["+971 50 123 4567", "00971 50 123 4567"])
def test_a_foreign_international_number_is_taken_as_it_stands(number: str, country: str) -> None:
    assert parse_phone(number, country) == "+971501234567"


@pytest.mark.parametrize("country", ["", "S", "SAU", "ZZ", "99", "ß", "ſa", "S\x00", "001", " SA", "\ud800A"])
def test_an_unknown_country_is_refused_on_its_own_field(country: str) -> None:
    with pytest.raises(PhoneError) as refused:
        parse_phone("+966501234567", country)
    assert refused.value.at == ("phone_country",)


@pytest.mark.parametrize(
    "number",
    [
        "",
        " ",
        "+",
        "00",
        "12",
        "911",
        "05012345678901234567",
        "+9665012345",
        "+999501234567",
        "971501234567",
        "050123456x",
        "0501234567 ext. 5",
        "0501234567;ext=5",
        "+1-800-FLOWERS",
        "++966501234567",
        "050+1234567",
        "0501234567\x00",
        "050123456²",
        "0501234567" * 100_000,
    ],
)
def test_what_is_no_number_of_the_country_is_refused(number: str) -> None:
    with pytest.raises(PhoneError) as refused:
        parse_phone(number, "SA")
    assert refused.value.at == ("phone",)


@pytest.mark.parametrize(
    "text",
    [
        "+966501234567",
        "966501234567",
        " 966501234567",
        "00966501234567",
        "+966 (50) 123-45.67",
        "٠٠٩٦٦٥٠١٢٣٤٥٦٧",
    ],
)
def test_an_international_number_is_found_by_its_digits(text: str) -> None:
    assert international_digits(text) == "966501234567"


@pytest.mark.parametrize("text", ["", "+", "00", "0501234567", "000966501234567", "abc", "1" * 16, "²³"])
def test_what_cannot_be_international_has_no_digits_to_find(text: str) -> None:
    assert international_digits(text) is None


def test_the_longest_number_is_fifteen_digits_after_the_prefix() -> None:
    assert international_digits("00" + "9" * 15) == "9" * 15


def test_digits_of_every_script_are_the_same_digits() -> None:
    assert digits_of("a1٢۳४-𝟓 六²") == "12345"


@pytest.mark.parametrize("unit", ["0", "٣", " ", "+", "x\ud800"])
def test_a_mebibyte_of_anything_is_read_in_linear_time(unit: str) -> None:
    text = unit * ((1 << 20) // len(unit))
    began = time.process_time()
    assert international_digits(text) is None
    assert len(digits_of(text)) in {0, 1 << 20}
    with pytest.raises(PhoneError):
        parse_phone(text, "SA")
    assert time.process_time() - began < 20  # quadratic time would be hours


@settings(deadline=None)
@given(_ANYTHING, st.sampled_from(["SA", "us", "IT", "JP"]) | _ANYTHING)
def test_any_text_is_a_number_in_international_form_or_a_phone_error(number: str, country: str) -> None:
    try:
        stored = parse_phone(number, country)
    except PhoneError:
        return
    assert stored == "+" + digits_of(stored)
    assert international_digits(stored) == stored[1:]
    assert parse_phone(stored, "SA") == stored


@settings(deadline=None)
@given(_ANYTHING)
def test_any_text_has_ascii_digits_only(text: str) -> None:
    assert set(digits_of(text)) <= set("0123456789")
    found = international_digits(text)
    assert found is None or (1 <= len(found) <= 15 and digits_of(text).endswith(found))


def _library_form(number: str, region: str) -> str | None:
    """00 is tried as the international prefix first."""
    for candidate in (re.sub("^00", "+", number), number):
        try:
            parsed = phonenumbers.parse(candidate, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    return None


@pytest.mark.parametrize("region", ["SA", "AE", "EG", "DE", "IN", "BR", "US"])
def test_mobile_numbers_are_parsed_as_the_library_parses_them(region: str) -> None:
    example = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
    assert example is not None
    chosen = random.Random(region)
    for _ in range(50):
        kept = [
            digit if chosen.random() < 0.7 else chosen.choice("0123456789") for digit in str(example.national_number)
        ]
        digits = "".join(kept)
        code = example.country_code
        for number in (f"0{digits}", f"+{code}{digits}", f"00{code}{digits}", f"{code}{digits}", digits, f"{digits}0"):
            expected = _library_form(number, region)
            if expected is not None:
                assert parse_phone(number, region) == expected
            else:
                with pytest.raises(PhoneError):
                    parse_phone(number, region)
