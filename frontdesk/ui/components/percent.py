from decimal import Decimal


def percent(rate: Decimal) -> str:
    """15 %, 7.7 %"""
    text = f"{rate:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"
