"""The pictures of the guides: described in words, as the product is today, and light."""

import re

from frontdesk.docs_site.guide_files import guides
from tests.support.pages.guide_pictures import FOLDER, product_texts, texts_of_picture

_MAX_BYTES = 1_500_000
_PICTURE = re.compile(r'<img src="/static/guides/([a-z-]+)\.webp\?[0-9a-f]+" alt="([^"]+)"([^>]*)/>')
_PLACE = re.compile(r'width="\d+" height="\d+" loading="lazy"')
AGAIN = "GUIDE_PICTURES=on makes them again (CONTRIBUTING.md)"


def test_every_picture_is_in_a_guide_of_its_language_with_words_and_a_place() -> None:
    shown = set()
    for guide in guides():
        pictures = _PICTURE.findall(guide.html)
        assert len(pictures) == guide.html.count("<img"), f"{guide.name}: a picture without its address or words"
        for name, _words, place in pictures:
            assert name.endswith(f"-{guide.language}"), (guide.name, name)
            assert _PLACE.search(place), (guide.name, name)
            shown.add(name)
    assert shown == {path.stem for path in FOLDER.iterdir()}
    assert shown == {f"{name[:-3]}-{language}" for name in shown for language in ("en", "ar")}


def test_a_picture_shows_no_text_that_the_product_has_no_longer() -> None:
    for path in sorted(FOLDER.iterdir()):
        language, texts = path.stem[-2:], texts_of_picture(path)
        assert texts, path.name
        assert texts <= product_texts(language), f"{path.name} shows {texts - product_texts(language)}: {AGAIN}"


def test_the_pictures_are_light() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < _MAX_BYTES
