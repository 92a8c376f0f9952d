"""What is usual in a country, as a proposal: opening hours, the standard rate of the value-added tax, prices."""

from decimal import ROUND_HALF_UP, Context, Decimal

from frontdesk.tenants.trades import Trade

_SUNDAY, _FRIDAY, _SATURDAY = 0, 5, 6
_DAYS = range(7)
_AFTER_PRAYER = 14
_LATEST_ELSEWHERE = 20
# Friday is the day of rest. In Lebanon, Morocco and Tunisia it is Sunday, as in most other countries.
_FRIDAY_REST = frozenset(
    {"AE", "BH", "DJ", "DZ", "EG", "IQ", "JO", "KW", "LY", "MR", "OM", "PS", "QA", "SA", "SD", "SY", "YE"}
)
# Standard rates in percent, as of 2026. A country without one has none, or is not known here.
_VAT = {
    "SA": "15",
    "AE": "5",
    "BH": "10",
    "OM": "5",
    "EG": "14",
    "JO": "16",
    "LB": "11",
    "MA": "20",
    "TN": "19",
    "DZ": "19",
    "PS": "16",
    "SD": "17",
    "YE": "5",
    "MR": "16",
    "TR": "20",
    "PK": "18",
    "IN": "18",
    "GB": "20",
    "AT": "20",
    "BE": "21",
    "BG": "20",
    "HR": "25",
    "CY": "19",
    "CZ": "21",
    "DE": "19",
    "DK": "25",
    "EE": "24",
    "ES": "21",
    "FI": "25.5",
    "FR": "20",
    "GR": "24",
    "HU": "27",
    "IE": "23",
    "IT": "22",
    "LT": "21",
    "LU": "17",
    "LV": "21",
    "MT": "18",
    "NL": "21",
    "PL": "23",
    "PT": "23",
    "RO": "21",
    "SE": "25",
    "SI": "22",
    "SK": "23",
    "CH": "8.1",
    "NO": "25",
    "AU": "10",
    "NZ": "15",
    "ZA": "15",
    "KE": "16",
    "NG": "7.5",
    "ID": "12",
    "PH": "12",
}
# What a service costs for each riyal that it costs in Saudi Arabia. These are price levels, not exchange rates.
_PRICES = {
    "SAR": "1",
    "AED": "1",
    "QAR": "1",
    "KWD": "0.08",
    "BHD": "0.1",
    "OMR": "0.1",
    "EGP": "3",
    "JOD": "0.15",
    "MAD": "1.5",
    "TND": "0.5",
    "DZD": "20",
    "IQD": "250",
    "TRY": "8",
    "PKR": "30",
    "INR": "10",
    "GBP": "0.3",
}
_OTHER_PRICES = "0.35"  # dollars, euros
_TWO_DIGITS = Context(prec=2, rounding=ROUND_HALF_UP)


def usual_week(trade: Trade, country: str | None) -> tuple[tuple[int, int, int], ...]:
    """Intervals of a week: a day from 0 (Sunday), and two minutes of it."""
    if country in _FRIDAY_REST:
        opens = dict.fromkeys(_DAYS, trade.opens) | {_FRIDAY: _AFTER_PRAYER}
        closed, closes = {_FRIDAY} if trade.rests else set(), trade.closes
    else:
        opens = dict.fromkeys(_DAYS, min(trade.opens, 9))
        closed, closes = {_SUNDAY, _SATURDAY} if trade.rests else {_SUNDAY}, min(trade.closes, _LATEST_ELSEWHERE)
    return tuple((day, opens[day] * 60, closes * 60) for day in _DAYS if day not in closed)


def vat_rate(country: str | None) -> Decimal | None:
    rate = _VAT.get(country or "")
    return None if rate is None else Decimal(rate)


def usual_price(riyals: int, currency: str) -> Decimal:
    """Rounded to two digits, because prices of services are round: 63, not 63.35."""
    price = _TWO_DIGITS.multiply(Decimal(riyals), Decimal(_PRICES.get(currency, _OTHER_PRICES)))
    return price.quantize(Decimal(1)) if price >= 10 else price
