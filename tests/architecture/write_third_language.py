"""Run by test_texts.py in a copy of the package: a French catalog in which every text is the English one in marks."""

from babel.messages.pofile import write_po

from frontdesk.i18n.catalog import load_catalog
from frontdesk.i18n.languages import CATALOGS

catalog = load_catalog("fr")  # an empty file
for message in load_catalog("ar"):
    if isinstance(message.id, str) and message.id:
        catalog.add(message.id, f"«{message.id}»", context=message.context)
    elif message.id:
        catalog.add(message.id, [f"«{text}»" for text in message.id], context=message.context)
with (CATALOGS / "fr.po").open("wb") as file:
    write_po(file, catalog)
