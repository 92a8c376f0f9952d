"""The codes of an authenticator app (TOTP, RFC 6238): six digits that change every half minute."""

import hmac
import re
import time

import pyotp

STEP_SECONDS = 30
_DRIFT = 1  # steps that the clock of the phone may be early or late
_CODE = re.compile(r"[0-9]{6}")


def new_app_secret() -> str:
    """160 random bits in base32, as apps read it."""
    return pyotp.random_base32(32)


def app_address(secret: str, email: str, issuer: str) -> str:
    """What the QR code says."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=issuer)


def normalize_code(text: str) -> str | None:
    """None if it is not a code of an app. Phones show it with a space in the middle."""
    code = re.sub(r"[\s-]", "", text)
    digits = "".join(str(int(letter)) if letter.isdecimal() else letter for letter in code)
    return digits if _CODE.fullmatch(digits) else None


def matching_step(secret: str, code: str, last_step: int, now: float | None = None) -> int | None:
    """The step that the code belongs to; None if it is wrong, or not newer than the last accepted one."""
    current = int(time.time() if now is None else now) // STEP_SECONDS
    app = pyotp.TOTP(secret)
    found = [
        step
        for step in range(current - _DRIFT, current + _DRIFT + 1)
        if hmac.compare_digest(app.generate_otp(step), code) and step > last_step
    ]
    return found[0] if found else None
