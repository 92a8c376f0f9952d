"""A code is right for half a minute before and after its own, and once."""

import pyotp

from frontdesk.accounts.one_time_codes import matching_step, new_app_secret, normalize_code

NOW = 1_800_000_010.0
STEP = int(NOW) // 30


def test_a_one_time_code_is_valid_half_a_minute_early_or_late() -> None:
    secret = new_app_secret()
    codes = {steps: pyotp.TOTP(secret).generate_otp(STEP + steps) for steps in range(-2, 3)}
    found = {steps: matching_step(secret, code, 0, NOW) for steps, code in codes.items()}
    assert found == {-2: None, -1: STEP - 1, 0: STEP, 1: STEP + 1, 2: None}


def test_a_one_time_code_is_not_accepted_twice_or_after_a_later_one() -> None:
    secret = new_app_secret()
    code = pyotp.TOTP(secret).generate_otp(STEP)
    assert matching_step(secret, code, STEP - 1, NOW) == STEP
    assert matching_step(secret, code, STEP, NOW) is None
    assert matching_step(secret, code, STEP + 1, NOW) is None


def test_a_one_time_code_is_read_with_spaces_and_other_digits() -> None:
    assert normalize_code(" 123 456") == "123456"
    assert normalize_code("\u0661\u0662\u0663-\u0664\u0665\u0666") == "123456"  # Arabic digits
    assert [normalize_code(text) for text in ("12345", "1234567", "12345a", "")] == [None] * 4
