from decimal import Decimal, getcontext, localcontext

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from frontdesk.values.money import (
    currency_decimals,
    exact_sum,
    fits_currency,
    format_amount,
    from_minor,
    round_half_up,
    to_minor,
)
from tests.support.repetitions import repetitions

pytestmark = pytest.mark.torture
# A busy machine is no fault of the arithmetic.
patiently = settings(
    max_examples=repetitions(40, long=300), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

DECIMALS = st.sampled_from([0, 2, 3])


@pytest.mark.parametrize(("code", "decimals"), [("SAR", 2), ("KWD", 3), ("IQD", 3), ("JPY", 0), ("USD", 2), ("CLF", 4)])
def test_decimals_are_those_of_the_standard(code: str, decimals: int) -> None:
    assert currency_decimals(code) == decimals


@pytest.mark.parametrize("code", ["ZZZ", "sar", "", "XAU", "XXX", "ر.س"])
def test_a_code_that_cannot_price_anything_is_refused(code: str) -> None:
    with pytest.raises(ValueError):
        currency_decimals(code)


@pytest.mark.parametrize(
    ("amount", "decimals", "rounded"),
    [
        ("0.025", 2, "0.03"),
        ("0.0249999999999999999999999999999999", 2, "0.02"),
        ("2.5", 0, "3"),
        ("3.5", 0, "4"),
        ("1.0005", 3, "1.001"),
        ("-0.025", 2, "-0.03"),
        ("-0.001", 2, "0.00"),
        ("7", 2, "7.00"),
        ("1E+3", 2, "1000.00"),
        ("12345678901234567890123456789012345.675", 2, "12345678901234567890123456789012345.68"),
    ],
)
def test_amounts_are_rounded_half_away_from_zero(amount: str, decimals: int, rounded: str) -> None:
    assert str(round_half_up(Decimal(amount), decimals)) == rounded


@pytest.mark.parametrize(
    ("amount", "decimals", "fits"),
    [
        ("12.50", 2, True),
        ("12.500", 2, True),
        ("12.505", 2, False),
        ("12.505", 3, True),
        ("1", 0, True),
        ("1.0", 0, True),
        ("0.5", 0, False),
        ("1E+11", 2, True),
        ("1E+12", 2, False),
        ("999999999999.99", 2, True),
        ("1000000000000", 2, False),
        ("-999999999999.99", 2, True),
        ("0E+999999", 2, True),
        ("0E-999999", 2, True),
        ("1E-999999", 2, False),
        ("1E+999999999", 2, False),
        ("1.00000000000000000000000000000000000001", 2, False),
        ("NaN", 2, False),
        ("sNaN", 2, False),
        ("Infinity", 2, False),
        ("-Infinity", 2, False),
    ],
)
def test_an_amount_fits_with_the_currencys_decimals_and_twelve_integer_digits(
    amount: str, decimals: int, fits: bool
) -> None:
    assert fits_currency(Decimal(amount), decimals) is fits


@pytest.mark.parametrize("amount", ["0.005", "1E+999999999999", "1000000000000", "NaN", "sNaN", "Infinity"])
def test_an_amount_out_of_range_has_no_minor_units(amount: str) -> None:
    with pytest.raises(ValueError):
        to_minor(Decimal(amount), 2)


@pytest.mark.parametrize(
    ("amount", "decimals", "minor"),
    [
        ("12.5", 2, 1250),
        ("12.5000", 3, 12500),
        ("12", 0, 12),
        ("1E+2", 2, 10000),
        ("-0.01", 2, -1),
        ("-0", 2, 0),
        ("0E+99", 2, 0),
        ("999999999999.999", 3, 999999999999999),
    ],
)
def test_minor_units_are_counted_exactly(amount: str, decimals: int, minor: int) -> None:
    assert to_minor(Decimal(amount), decimals) == minor


@pytest.mark.parametrize(
    ("minor", "decimals", "text"),
    [
        (1250, 2, "12.50"),
        (12500, 3, "12.500"),
        (12, 0, "12"),
        (0, 2, "0.00"),
        (0, 3, "0.000"),
        (0, 0, "0"),
        (1, 4, "0.0001"),
        (-5, 2, "-0.05"),
        (100000000000000, 0, "100000000000000"),
    ],
)
def test_minor_units_are_written_with_the_currencys_decimals(minor: int, decimals: int, text: str) -> None:
    assert str(from_minor(minor, decimals)) == text


@pytest.mark.parametrize(
    ("amount", "decimals", "text"),
    [("12.5", 2, "12.50"), ("12.5", 3, "12.500"), ("12", 0, "12"), ("1E+3", 0, "1000"), ("-0.00", 2, "0.00")],
)
def test_an_amount_is_written_with_exactly_the_currencys_decimals(amount: str, decimals: int, text: str) -> None:
    assert format_amount(Decimal(amount), decimals) == text


@patiently
@given(st.integers(-(10**15) + 1, 10**15 - 1), DECIMALS)
def test_minor_units_come_back_unchanged_even_in_a_narrow_context(minor: int, decimals: int) -> None:
    bounded = minor if abs(minor) < 10 ** (12 + decimals) else minor % 10**12
    with localcontext() as context:
        context.prec = 3
        amount = from_minor(bounded, decimals)
        assert fits_currency(amount, decimals)
        assert to_minor(amount, decimals) == bounded
        assert to_minor(Decimal(format_amount(amount, decimals)), decimals) == bounded


@patiently
@given(st.lists(st.integers(-(10**15), 10**15), max_size=20), DECIMALS)
def test_a_sum_does_not_depend_on_the_callers_context(minors: list[int], decimals: int) -> None:
    with localcontext() as context:
        context.prec = 3
        total = exact_sum(from_minor(minor, decimals) for minor in minors)
    assert total == from_minor(sum(minors), decimals)


@patiently
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12), DECIMALS)
def test_rounding_moves_by_at_most_half_a_minor_unit(amount: Decimal, decimals: int) -> None:
    before = getcontext().prec
    rounded = round_half_up(amount, decimals)
    with localcontext() as context:
        context.prec = 200
        assert abs(rounded - amount) * 2 <= from_minor(1, decimals)
    assert round_half_up(-amount, decimals) == -rounded
    assert getcontext().prec == before


def test_a_megabyte_of_zeros_behind_the_point_is_still_one() -> None:
    assert to_minor(Decimal("1." + "0" * 1_000_000), 2) == 100
