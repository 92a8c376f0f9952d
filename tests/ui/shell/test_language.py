"""Both languages: nothing is left untranslated, nothing is glued, and a page knows its direction."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from frontdesk import ui
from frontdesk.applications.problems import ReviewProblem
from frontdesk.auth.problems import ClientProblem
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.http.field_paths import field_path
from frontdesk.http.problems import ValueProblem
from frontdesk.i18n.catalog import Extracted, extracted_messages, load_catalog
from frontdesk.i18n.languages import ENGLISH, LANGUAGES
from frontdesk.i18n.texts import translations
from frontdesk.orders.problems import PaymentProblem
from frontdesk.problems import Problem, Problems
from frontdesk.ui.components.tenant_choices import zone_choices
from frontdesk.ui.shell.formatting import Formatter, initials
from frontdesk.ui.shell.problems import page_error, problem_text
from frontdesk.ui.shell.zone_names import zone_name
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from tests.support.dashboard import DashboardClient

TANWEEN = re.compile("\u064b\u0627|\u064b\u0651\u0627|\u0651\u064b\u0627")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")


@pytest.fixture(scope="module")
def texts() -> set[Extracted]:
    return set(extracted_messages())


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ENGLISH])
def test_every_text_has_a_translation_with_the_same_places_in_it(language: str, texts: set[Extracted]) -> None:
    catalog = load_catalog(language)
    assert len(texts) > 200
    for text in texts:
        found = catalog.get(text.id, text.context)
        assert found, text
        said, message = strings(found), text.message
        places = PLACEHOLDER.findall(message[1] if isinstance(message, tuple) else message)  # the plural has them all
        assert said
        assert all(said), text
        for string in said:
            assert set(PLACEHOLDER.findall(string)) <= set(places), text
        assert sorted(PLACEHOLDER.findall(said[-1])) == sorted(places), text


def test_a_text_with_a_count_is_said_in_the_ways_of_counts_everywhere(texts: set[Extracted]) -> None:
    """Else Arabic has the words for one, whatever the count."""
    plurals = {(text.id, text.context) for text in texts if isinstance(text.message, tuple)}
    assert {text for text in texts if isinstance(text.message, str) and (text.id, text.context) in plurals} == set()


def test_the_arabic_catalogue_holds_nothing_that_nobody_says(texts: set[Extracted]) -> None:
    messages = [message for message in load_catalog("ar") if message.id]
    found = {(m.id[0] if isinstance(m.id, tuple) else m.id, m.context) for m in messages}
    assert found == {(text.id, text.context) for text in texts}


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "لا أحد يعمل هنا"),
        (1, "يعمل هنا شخص واحد"),
        (2, "يعمل هنا شخصان"),
        (3, "يعمل هنا 3 أشخاص"),
        (11, "يعمل هنا 11 شخصًا"),
        (100, "يعمل هنا 100 شخص"),
        (103, "يعمل هنا 103 أشخاص"),
    ],
)
def test_arabic_counts_in_its_six_ways(count: int, text: str) -> None:
    said_ = translations("ar").ngettext("%(num)s person works here", "%(num)s people work here", count)
    assert said_ % {"num": count} == text


def strings(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def test_counts_from_11_to_99_have_the_noun_that_arabic_wants() -> None:
    """11 حجزًا, but 100 حجز. Many nouns are the same in both."""
    plurals = [strings(message)[4:] for message in load_catalog("ar") if isinstance(message.id, tuple)]
    differing = [(many, other) for many, other in plurals if many != other]
    assert len(differing) > 30
    for many, other in differing:
        assert len(TANWEEN.findall(many)) > len(TANWEEN.findall(other)), many


def test_arabic_texts_have_the_marks_of_their_script() -> None:
    for message in load_catalog("ar"):
        for text in strings(message):
            assert not re.search(r"[\u0621-\u064a][,;?](\s|$)", text), text


def test_time_zones_are_called_by_their_city_in_arabic() -> None:
    assert zone_name("Asia/Riyadh", "en") == "Asia/Riyadh"
    assert zone_name("Asia/Riyadh", "ar") == "الرياض"
    assert zone_name("Asia/Kolkata", "ar") == zone_name("Asia/Calcutta", "ar") == "كالكتا"
    assert ("Asia/Riyadh", "الرياض") in zone_choices("ar")
    assert len({label for _, label in zone_choices("ar")}) > len(zone_choices("ar")) * 0.98


def test_initials_are_of_one_script() -> None:
    assert [initials(name) for name in ("Sara Ali", "سارة علي", "سارة Smith", "Sara علي", "Sara", "")] == [
        *("SA", "سع", "س", "S", "S", ""),
    ]


def test_what_is_wrong_is_said_in_the_language_of_the_page() -> None:
    short = Problem(ValueProblem.TOO_SHORT, least=10)
    assert problem_text(short, "en", Formatter("en", None)) == "Use at least 10 characters."
    assert problem_text(short, "ar", Formatter("ar", None)) == "استخدم 10 أحرف على الأقل."
    years = Problem(ValueProblem.OUTSIDE_YEARS, first=1970, last=2200)
    assert problem_text(years, "ar", Formatter("ar", None)) == "أدخل قيمة بين 1970 و2200."
    large = Problem(ValueProblem.ABOVE, most=1_000_000)
    assert problem_text(large, "ar", Formatter("ar", None)) == "أدخل 1,000,000 أو أقل."


def test_the_values_of_a_problem_are_written_as_the_page_writes_them() -> None:
    tenant = TenantContext(uuid7(), "Asia/Riyadh", "SAR", 2, ("en",), 15)
    scope = Problem(ClientProblem.UNKNOWN_SCOPE, scope="odd 1")
    assert problem_text(scope, "ar", Formatter("ar", None)) == "'\u2068odd 1\u2069' ليست صلاحية"
    assert problem_text(scope, "en", Formatter("en", None)) == "'odd 1' is not a scope"
    left = Problem(PaymentProblem.ABOVE_REMAINING, remaining=Decimal(1250))
    assert problem_text(left, "en", Formatter("en", tenant)) == "Only 1,250.00 is left to pay."
    stock = Problem(CatalogProblem.WRONG_NUMBER, least=0, most=1_000_000)
    assert problem_text(stock, "en", Formatter("en", None)) == "Enter a number from 0 to 1,000,000."


def test_several_problems_of_no_field_are_all_said() -> None:
    problems = Problems([Problem(ReviewProblem.NO_DESCRIPTION), Problem(ReviewProblem.NO_SCOPES)])
    error = page_error(problems, {}, "en", Formatter("en", None))
    assert error.errors == {"": ["It needs a description.", "It requests no scope."]}


def test_a_field_has_the_name_of_its_form() -> None:
    fields = {"lines": "items", "lines.#.item_id": "items.#.id", "payments.#": "payment"}
    paths = [("lines", 2, "item_id"), ("lines", 0, "quantity"), ("payments", 0, "amount"), ("start",), ()]
    assert [field_path(path, fields) for path in paths] == [
        "items.2.id",
        "items.0.quantity",
        "payment.amount",
        "start",
        "",
    ]


async def test_the_language_is_the_browsers_until_one_is_chosen(stranger: DashboardClient) -> None:
    for header, language in (("ar-SA,en;q=0.8", "ar"), ("fr, en;q=0.5", "en"), ("de", "en"), ("*;q=", "en")):
        page = await stranger.get("/sign-in", headers={"accept-language": header})
        assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in page.text
    chosen = await stranger.post("/language", {"language": "ar", "back": "/sign-in"}, page="/sign-in")
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/sign-in")
    assert 'dir="rtl"' in (await stranger.get("/sign-in", headers={"accept-language": "en"})).text


async def test_the_language_stays_with_the_person_and_the_theme_with_the_browser(owner: DashboardClient) -> None:
    await owner.post("/language", {"language": "ar", "back": "//evil.example"})
    await owner.post("/theme", {"theme": "dark"})
    page = (await owner.get("/")).text
    assert '<html lang="ar" dir="rtl" data-theme="dark">' in page
    owner.http.cookies.delete("frontdesk_language", domain="127.0.0.1")
    owner.http.cookies.delete("frontdesk_theme", domain="127.0.0.1")
    assert '<html lang="ar" dir="rtl">' in (await owner.get("/")).text
    assert (await owner.post("/language", {"language": "xx"})).status_code == 422


def test_no_template_glues_texts_with_a_latin_comma() -> None:
    glued = re.compile(r"(?:\}\}|</\w+>), (?:\{\{|<)")
    for path in Path(ui.__file__).parent.rglob("*.html"):
        text = re.sub(r"\{% trans.*?endtrans %\}", "", path.read_text(), flags=re.DOTALL)
        assert not glued.search(text), path.name


def test_a_day_and_today_are_different_words() -> None:
    arabic = translations("ar")
    assert arabic.gettext("Day") != arabic.gettext("Today")


def test_an_amount_with_its_currency_is_not_forced_to_read_left_to_right() -> None:
    """In Arabic the currency is after the number, which is to its left."""
    forced = re.compile(r'class="[^"]*\b(?:num|ltr)\b[^"]*"[^>]*>\s*\{\{ *context\.format\.price\(')
    templates = Path(ui.__file__).parent.rglob("*.html")
    assert [path.name for path in templates if forced.search(path.read_text("utf-8"))] == []
