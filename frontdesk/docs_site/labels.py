"""The words around the guides, in the languages that guides are written in. The reference is in English."""

from frontdesk.i18n.texts import N_, NP_, translate

_LABELS = {
    "skip": NP_("documentation", "Skip to content"),
    "docs": N_("docs"),
    "sections": N_("Sections"),
    "here": NP_("documentation", "You are here"),
    "guides": N_("Guides"),
    "reference": N_("Reference"),
    "changes": N_("Changelog"),
    "search": N_("Search the documentation"),
    "placeholder": N_("Operation, field or error"),
    "light": N_("Light"),
    "dark": N_("Dark"),
    "pages": N_("Pages"),
    "contents": N_("On this page"),
    "previous": N_("Previous"),
    "next": N_("Next"),
    "copy_code": N_("Copy"),
    "copied": NP_("documentation", "Copied"),
    "business": N_("Run your business"),
    "build": N_("Build with the APIs"),
    "operate": N_("Operate"),
}


def labels(language: str) -> dict[str, str]:
    return {name: translate(language, text) for name, text in _LABELS.items()}
