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
    "search_title": N_("Search"),
    "search_in": NP_("documentation", "In all guides and operations"),
    "found": NP_("documentation", "%(count)s found for “%(query)s”"),
    "nothing_found": NP_("documentation", "Nothing has all of these words. Try fewer, or one of the guides."),
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
    "documentation": N_("Documentation"),
    "for_whom": NP_("documentation", "Guides for businesses, developers and operators"),
    "api_reference": NP_("documentation", "API reference"),
    "every_operation": NP_("documentation", "Every operation of the Open API and the POS API"),
    "try_open_api": NP_("documentation", "Try the Open API"),
    "for_applications": NP_("documentation", "For third-party applications"),
    "try_pos_api": NP_("documentation", "Try the POS API"),
    "for_tills": NP_("documentation", "For the tills of a business"),
    "scope": N_("Scope"),
    "approved_text": NP_("documentation", "What the business reads before it approves it"),
    "operations": N_("Operations"),
    "packages": NP_("documentation", "Packages"),
    "packages_from_here": NP_("documentation", "The clients and the command line, from this installation"),
    "frontdesk_client": NP_("documentation", "The Python client"),
    "frontdesk": NP_("documentation", "The command line and the service"),
    "frontdesk-client": NP_("documentation", "The TypeScript client"),
    "frontdesk-examples": NP_("documentation", "Runnable examples in Python and TypeScript"),
    "download": N_("Download"),
    "install": NP_("documentation", "Install"),
    "changes_to_both": NP_("documentation", "Changes to both APIs"),
}


def labels(language: str) -> dict[str, str]:
    return {name: translate(language, text) for name, text in _LABELS.items()}
