"""Types of business, each with the ten services that most of its kind sell, as a proposal to a new one."""

from typing import NamedTuple

from frontdesk.i18n.texts import N_


class UsualService(NamedTuple):
    name: str  # a text marked for translation
    minutes: int
    riyals: int  # tenants/usual.py makes it a price of the country


class Trade(NamedTuple):
    key: str
    name: str  # a text marked for translation
    many: str  # what such businesses are called
    icon: str
    opens: int  # an hour
    closes: int
    services: tuple[UsualService, ...]
    rests: bool = False  # closed on the day off of the country


def _services(*rows: tuple[str, int, int]) -> tuple[UsualService, ...]:
    return tuple(UsualService(*row) for row in rows)


_SALON = _services(
    (N_("Cut and blow-dry"), 60, 180),
    (N_("Blow-dry"), 45, 90),
    (N_("Root colour"), 90, 320),
    (N_("Highlights"), 150, 650),
    (N_("Keratin treatment"), 120, 520),
    (N_("Hair mask"), 30, 120),
    (N_("Manicure"), 45, 95),
    (N_("Pedicure"), 60, 130),
    (N_("Brow shaping"), 20, 60),
    (N_("Evening make-up"), 75, 420),
)
_BARBER = _services(
    (N_("Haircut"), 30, 50),
    (N_("Haircut and beard"), 45, 75),
    (N_("Beard trim"), 20, 30),
    (N_("Shave with hot towels"), 30, 45),
    (N_("Children’s haircut"), 30, 40),
    (N_("Wash and styling"), 20, 30),
    (N_("Hair colour"), 45, 90),
    (N_("Face cleaning"), 40, 80),
    (N_("Head massage"), 20, 40),
    (N_("Groom’s preparation"), 90, 250),
)
_NAILS = _services(
    (N_("Manicure"), 45, 95),
    (N_("Pedicure"), 60, 130),
    (N_("Gel manicure"), 60, 150),
    (N_("Gel pedicure"), 75, 170),
    (N_("Gel extensions"), 120, 320),
    (N_("Acrylic extensions"), 120, 300),
    (N_("Refill"), 75, 200),
    (N_("Gel removal"), 30, 50),
    (N_("Nail art"), 30, 60),
    (N_("Paraffin care"), 30, 80),
)
_SPA = _services(
    (N_("Swedish massage"), 60, 280),
    (N_("Deep tissue massage"), 60, 320),
    (N_("Hot stone massage"), 75, 380),
    (N_("Aromatherapy massage"), 60, 300),
    (N_("Foot massage"), 45, 180),
    (N_("Head and neck massage"), 30, 140),
    (N_("Moroccan bath"), 60, 250),
    (N_("Body scrub"), 45, 220),
    (N_("Facial"), 60, 280),
    (N_("Massage for two"), 60, 560),
)
_CLINIC = _services(
    (N_("First consultation"), 30, 200),
    (N_("Follow-up visit"), 15, 100),
    (N_("Online consultation"), 20, 150),
    (N_("General check-up"), 45, 300),
    (N_("Blood sample"), 15, 80),
    (N_("Vaccination"), 15, 120),
    (N_("Skin consultation"), 30, 250),
    (N_("Laser session"), 45, 450),
    (N_("Physiotherapy session"), 45, 250),
    (N_("Nutrition consultation"), 40, 220),
)
_DENTIST = _services(
    (N_("Dental check-up"), 30, 150),
    (N_("Teeth cleaning"), 45, 250),
    (N_("Filling"), 45, 300),
    (N_("Root canal treatment"), 90, 900),
    (N_("Tooth extraction"), 30, 250),
    (N_("Teeth whitening"), 60, 800),
    (N_("Dental crown"), 60, 1200),
    (N_("Braces consultation"), 30, 200),
    (N_("Children’s dental check-up"), 30, 130),
    (N_("Dental X-ray"), 15, 80),
)
_STUDIO = _services(
    (N_("Trial class"), 45, 40),
    (N_("Yoga class"), 60, 80),
    (N_("Pilates class"), 60, 110),
    (N_("Private Pilates"), 60, 250),
    (N_("Personal training"), 60, 200),
    (N_("Strength class"), 45, 80),
    (N_("Cycling class"), 45, 80),
    (N_("Boxing class"), 60, 90),
    (N_("Stretching"), 45, 70),
    (N_("Fitness assessment"), 45, 150),
)
_OTHER = _services(
    (N_("First meeting"), 30, 100),
    (N_("Short session"), 30, 120),
    (N_("Session"), 60, 200),
    (N_("Long session"), 90, 280),
    (N_("Follow-up"), 30, 80),
    (N_("Online session"), 45, 150),
    (N_("Group session"), 60, 90),
    (N_("Home visit"), 90, 350),
    (N_("Workshop"), 120, 250),
    (N_("Urgent appointment"), 30, 180),
)
TRADES = (
    Trade("salon", N_("Hair salon"), N_("hair salons"), "staff", 10, 22, _SALON),
    Trade("barber", N_("Barber"), N_("barbers"), "comb", 10, 23, _BARBER),
    Trade("nails", N_("Nails"), N_("nail studios"), "bottle", 10, 22, _NAILS),
    Trade("spa", N_("Spa"), N_("spas"), "lotus", 11, 23, _SPA),
    Trade("clinic", N_("Clinic"), N_("clinics"), "clinic", 9, 21, _CLINIC, rests=True),
    Trade("dentist", N_("Dentist"), N_("dentists"), "tooth", 9, 21, _DENTIST, rests=True),
    Trade("studio", N_("Studio, classes"), N_("studios"), "weights", 7, 22, _STUDIO),
    Trade("other", N_("Something else"), N_("small businesses"), "more", 9, 21, _OTHER),
)


def get_trade(key: str) -> Trade:
    """The first one for an unknown key."""
    return next((trade for trade in TRADES if trade.key == key), TRADES[0])
