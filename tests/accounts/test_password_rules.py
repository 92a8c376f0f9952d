"""Passwords that are refused, and those that are not."""

import pytest

from frontdesk.accounts.password_rules import MAX_PASSWORD, MIN_PASSWORD, common_passwords, password_problem
from frontdesk.accounts.users import new_password
from frontdesk.auth.problems import AccountProblem
from frontdesk.demo_data.create import new_sandbox
from frontdesk.values.ids import uuid7


@pytest.mark.parametrize(
    "password",
    [
        *("Password123!", "p4ssw0rd2024", "passwordpassword", "qwertyuiop", "1234567890", "aaaaaaaaaa", "abcdefghij"),
        *("Welcome2026!", "P@ssw0rd2026", "iloveyou2024", "zaq12wsx!!", "1q2w3e4r5t", "asdfghjkl;1", "frontdesk2026"),
        *("correct horse battery staple", "ＰＡＳＳＷＯＲＤ２０２４", "abababababab", "9876543210"),
    ],
)
def test_common_passwords_are_refused(password: str) -> None:
    fault = password_problem(password)
    assert fault
    assert fault.kind in (AccountProblem.PASSWORD_TOO_EASY, AccountProblem.PASSWORD_LEAKED)


@pytest.mark.parametrize("password", ["violet lantern harbour", "lotus-حناء-8971", "كلمة مرور طويلة جدا", "gT7#kq9Lw2"])
def test_uncommon_passwords_of_any_characters_are_accepted(password: str) -> None:
    assert password_problem(password, ["nora@people.example", "Nora Tester", "Lotus Salon"]) is None


def test_generated_passwords_are_accepted() -> None:
    for _ in range(200):
        sandbox = new_sandbox(uuid7(), uuid7(), "Asia/Riyadh")
        assert password_problem(sandbox.password, [sandbox.email]) is None
        assert password_problem(new_password()) is None


def test_password_length_has_a_minimum_and_a_maximum() -> None:
    long = "violet lantern harbour " * 20
    short = password_problem(long[: MIN_PASSWORD - 1])
    assert short
    assert (short.kind, short.values) == (AccountProblem.PASSWORD_TOO_SHORT, {"least": 10})
    assert password_problem(long[:MAX_PASSWORD]) is None
    too_long = password_problem(long[: MAX_PASSWORD + 1])
    assert too_long
    assert (too_long.kind, too_long.values) == (AccountProblem.PASSWORD_TOO_LONG, {"most": 256})


@pytest.mark.parametrize("password", ["nora.tester2024", "NoraTester!", "LotusSalon2024", "people.example1"])
def test_a_password_made_of_the_own_name_or_address_is_refused(password: str) -> None:
    assert password_problem(password, ["nora.tester@people.example", "Nora Tester", "Lotus Salon"]) is not None


def test_the_list_of_common_passwords_is_in_the_package() -> None:
    assert len(common_passwords()) > 500
