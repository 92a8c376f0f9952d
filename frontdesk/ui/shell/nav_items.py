"""What the navigation leads to: an item is shown to those who may open its page."""

from typing import NamedTuple

from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.permissions import (
    ANY_ROLE,
    CASHIERS,
    DIARY_READERS,
    MANAGERS,
    OPERATORS,
    RECEPTION,
    SANDBOX_MANAGERS,
    SIGNED_IN,
    Access,
)


class NavItem(NamedTuple):
    path: str
    label: str
    access: Access
    icon: str = ""
    wide_only: bool = False  # hidden on phones, which have room for five items
    about: str = ""  # what is set there, in the words that people look for


class SettingsGroup(NamedTuple):
    title: str
    items: tuple[NavItem, ...]


SETUP = NavItem("/setup", N_("Set up"), MANAGERS, "check")  # until the business is set up
MAIN_NAV = (
    NavItem("/calendar", N_("Calendar"), DIARY_READERS, "calendar"),
    NavItem("/till", N_("Till"), CASHIERS, "till"),
    NavItem("/orders", N_("Orders"), CASHIERS, "orders"),
    NavItem("/customers", N_("Customers"), ANY_ROLE, "people"),
    NavItem("/catalogue", N_("Catalogue"), ANY_ROLE, "catalog", wide_only=True),
    NavItem("/staff", N_("Staff"), DIARY_READERS, "staff", wide_only=True),
    NavItem("/reports", N_("Reports"), MANAGERS, "reports", wide_only=True),
    NavItem("/settings", N_("Settings"), SIGNED_IN, "settings"),
    NavItem("/operator", N_("Operator"), OPERATORS, "globe"),
)
PROVIDER_NAV = (
    NavItem("/", N_("Today"), ANY_ROLE, "home"),
    NavItem("/calendar?view=week", N_("My week"), DIARY_READERS, "calendar"),
    NavItem("/staff", N_("My hours"), DIARY_READERS, "staff"),
    NavItem("/customers", N_("Customers"), ANY_ROLE, "people"),
    NavItem("/catalogue", N_("Catalogue"), ANY_ROLE, "catalog", wide_only=True),
    NavItem("/settings", N_("Settings"), SIGNED_IN, "settings"),
    NavItem("/operator", N_("Operator"), OPERATORS, "globe"),
)
SETTINGS = (
    SettingsGroup(
        N_("Business"),
        (
            NavItem(
                "/settings/business",
                N_("Business"),
                MANAGERS,
                "tag",
                about=N_("Name, languages, currency, booking rules, deposit, tax, invoices, logo and colour"),
            ),
            NavItem(
                "/settings/branches", N_("Branches"), MANAGERS, "pin", about=N_("Name, address, map, phone, WhatsApp")
            ),
            NavItem(
                "/settings/hours",
                N_("Opening hours"),
                RECEPTION,
                "clock",
                about=N_("Weekdays, days with other hours, holidays, Ramadan"),
            ),
        ),
    ),
    SettingsGroup(
        N_("Customers and booking"),
        (
            NavItem(
                "/settings/booking-page",
                N_("Booking page"),
                MANAGERS,
                "globe",
                about=N_("Address and QR code, what it shows, what customers do themselves, your own site"),
            ),
            NavItem(
                "/settings/notices",
                N_("Notices"),
                MANAGERS,
                "mail",
                about=N_("Confirmations, reminders, their words, quiet hours, what was sent"),
            ),
            NavItem(
                "/settings/cancel-reasons",
                N_("Cancellations"),
                MANAGERS,
                "x",
                about=N_("The reasons from which the team chooses"),
            ),
            NavItem(
                "/import",
                N_("Import and export"),
                MANAGERS,
                "import",
                about=N_("Customers, items, staff, stock, everything as a file"),
            ),
        ),
    ),
    SettingsGroup(
        N_("Team"),
        (
            NavItem(
                "/settings/members",
                N_("Members"),
                MANAGERS,
                "people",
                about=N_("Invitations, roles, what each may do, second factor"),
            ),
            NavItem("/activity", N_("Activity"), MANAGERS, "orders", about=N_("Who changed what, and when")),
        ),
    ),
    SettingsGroup(
        N_("Money"),
        (
            NavItem(
                "/settings/payment-methods",
                N_("Payment methods"),
                MANAGERS,
                "card",
                about=N_("Cash, card, transfer, cashiers and their discount limit"),
            ),
            NavItem(
                "/settings/drawers",
                N_("Drawers and shifts"),
                MANAGERS,
                "cash",
                about=N_("Own shifts of cashiers, blind counts, how many drawers"),
            ),
        ),
    ),
    SettingsGroup(
        N_("Connections"),
        (
            NavItem(
                "/settings/applications",
                N_("Applications"),
                MANAGERS,
                "app",
                about=N_("What is connected, and what each application may see"),
            ),
            NavItem(
                "/settings/calendars",
                N_("Calendars"),
                MANAGERS,
                "calendar",
                about=N_("Google, Outlook, the phone's own"),
            ),
            NavItem(
                "/settings/api",
                N_("API Integration"),
                MANAGERS,
                "key",
                about=N_("Clients, keys, webhooks, the requests of programs"),
            ),
            NavItem(
                "/settings/sandbox",
                N_("Sandbox"),
                SANDBOX_MANAGERS,
                "box",
                about=N_("Its clock, faults on purpose, snapshots, reset"),
            ),
            NavItem(
                "/settings/limits",
                N_("Limits"),
                MANAGERS,
                "filter",
                about=N_("What your plan includes, and what is used"),
            ),
            NavItem(
                "/developer",
                N_("Developer"),
                SIGNED_IN,
                "hook",
                about=N_("Applications that you make for other businesses"),
            ),
        ),
    ),
    SettingsGroup(
        N_("You"),
        (
            NavItem(
                "/settings/account",
                N_("Your account"),
                SIGNED_IN,
                "lock",
                about=N_("Name, language, e-mail, password, second factor, PIN, notifications"),
            ),
        ),
    ),
)
OPERATOR_NAV = (
    NavItem("/operator/health", N_("Health"), OPERATORS),
    NavItem("/operator/tenants", N_("Businesses"), OPERATORS),
    NavItem("/operator/users", N_("People"), OPERATORS),
    NavItem("/operator/messages", N_("Messages"), OPERATORS),
    NavItem("/operator/applications", N_("Applications"), OPERATORS),
    NavItem("/operator/acts", N_("Activity"), OPERATORS),
)
