"""The staff and customers of the sandbox. Data only; all persons and numbers are invented."""

from decimal import Decimal
from typing import NamedTuple

SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY = range(7)

Week = dict[int, tuple[tuple[int, int], ...]]  # minutes of the day, by weekday


def _hours(opens: int, closes: int) -> tuple[int, int]:
    return opens * 60, closes * 60


_SPLIT = (_hours(10, 13), _hours(16, 22))
STORE_WEEK: Week = {
    SATURDAY: _SPLIT,
    SUNDAY: (_hours(10, 21),),
    MONDAY: _SPLIT,
    TUESDAY: (_hours(10, 21),),
    WEDNESDAY: (_hours(10, 21),),
    THURSDAY: (_hours(10, 14), _hours(16, 23)),
}


class StaffOverride(NamedTuple):
    price: Decimal | None = None
    duration: int | None = None


class Provider(NamedTuple):
    name: str
    names: dict[str, str]  # what customers read in its place, by language
    title: dict[str, str]  # by language
    phone: str
    email: str
    image: str | None
    services: dict[str, StaffOverride]  # by slug; empty values are those of the service
    week: Week | None = None


STAFF = (
    Provider(
        "نورة الحربي",
        {"en": "Noura Al-Harbi"},
        {"en": "Senior stylist", "ar": "خبيرة شعر"},
        "+966503310871",
        "noura@lamsa-studio.example",
        "static/avatars/1.svg",
        {slug: StaffOverride() for slug in ("haircut", "blow-dry", "hair-colour", "protein-treatment")},
    ),
    Provider(
        "Maha Al-Otaibi",
        {"ar": "مها العتيبي"},
        {"en": "Nails and skin", "ar": "أظافر وبشرة"},
        "+966554420916",
        "maha@lamsa-studio.example",
        "static/avatars/2.svg",
        {slug: StaffOverride() for slug in ("manicure", "pedicure", "facial", "brows", "blow-dry")},
        week={
            SATURDAY: ((690, 1140),),
            SUNDAY: ((690, 1140),),
            TUESDAY: ((690, 1140),),
            WEDNESDAY: ((690, 1140),),
            THURSDAY: ((990, 1350),),
        },
    ),
    Provider(
        "ريم القحطاني",
        {"en": "Reem Al-Qahtani"},
        {"en": "Hair and skin expert", "ar": "خبيرة شعر وبشرة"},
        "+966535561027",
        "reem@lamsa-studio.example",
        None,
        {
            "haircut": StaffOverride(Decimal("160.00"), 60),
            "blow-dry": StaffOverride(Decimal("95.00"), 45),
            "protein-treatment": StaffOverride(Decimal("549.50"), 150),
            "facial": StaffOverride(Decimal("240.00"), 90),
        },
    ),
    Provider(
        "Joud Al-Shehri",
        {"ar": "جود الشهري"},
        {"en": "Stylist", "ar": "مصففة شعر"},
        "+966566672138",
        "joud@lamsa-studio.example",
        None,
        {slug: StaffOverride() for slug in ("haircut", "hair-colour", "manicure", "pedicure", "brows")},
    ),
)

CASHIER_NAME = "أمل السبيعي"
CASHIER_CODE = "1042"
OWNER_NAME = "Lama Al-Dossary"


class Person(NamedTuple):
    first_name: str
    last_name: str | None
    email: str | None
    phone: str
    city: str | None = "الرياض"
    address: str | None = None
    note: str | None = None
    tax_number: str | None = None  # companies have one
    blocked: bool = False
    tags: tuple[int, ...] = ()
    birthday_in: int | None = None  # days from now
    birth_year: int | None = None  # a leap year, so that every day is one of it
    allergies: str | None = None
    favorite: int | None = None  # of the staff


CUSTOMERS = (
    Person("سارة", "العتيبي", "sara.alotaibi@example.com", "+966501234816", address="حي النرجس", tags=(0, 1)),
    Person("نوف", "الدوسري", "nouf.d@example.com", "+966502345927", tags=(1,)),
    Person("Layla", "Al-Ghamdi", "layla.ghamdi@example.com", "+966503456038", "Riyadh", tags=(0,)),
    Person("هند", "الشمري", None, "+966504567149", favorite=1),
    Person("ريما", None, None, "+966505678250"),
    Person("Dana", "Al-Qahtani", "dana.q@example.com", "+966506789361", "Riyadh", birthday_in=120, favorite=0),
    Person("العنود", "المطيري", "anoud@example.com", "+966507890472", note="تفضل المواعيد المسائية", birthday_in=4),
    Person("جواهر", "القرني", None, "+966508901583"),
    # Not among the newest: the first customer in the list should be a normal one for test bookings.
    Person("ندى", "العنزي", None, "+966549789361", note="لم تحضر ثلاث مرات", blocked=True),
    Person("Mariam", "Haddad", "mariam.haddad@example.org", "+966531012694", "Riyadh", tags=(1,)),
    Person("غادة", "الزهراني", "ghada.z@example.com", "+966532123705"),
    Person("منيرة", "السالم", "muneera@example.com", "+966533234816", address="حي الملقا"),
    Person("Aisha", "Rahman", "aisha.rahman@example.org", "+966534345927", "Riyadh"),
    Person("لولوة", None, "lulwa@example.com", "+966535456038"),
    Person("أروى", "الحمد", None, "+966536567149", tags=(0,), birthday_in=2, birth_year=1996),
    Person("Fatimah", "Al-Saleh", "fatimah.saleh@example.com", "+966537678250", "الدمام"),
    Person("وجدان", "العمري", "wejdan@example.com", "+966538789361"),
    Person("شهد", "البقمي", None, "+966539890472"),
    Person(
        "Hessa",
        "Al-Mutairi",
        "hessa.m@example.com",
        "+966541901583",
        "Riyadh",
        allergies="Ammonia",
        birthday_in=30,
        birth_year=1988,
    ),
    Person("رغد", "الجهني", "raghad@example.com", "+966542012694", "جدة"),
    Person("بدور", "الشهراني", "bodour@example.com", "+966543123705", allergies="حساسية من اللاتكس", favorite=0),
    Person("Noor", "Khalil", "noor.khalil@example.org", "+966544234816", "Riyadh"),
    Person("عبير", "الرشيد", None, "+966545345927"),
    Person("تهاني", "الحازمي", "tahani@example.com", "+966546456038", tags=(1,)),
    Person("Lina", "Barakat", "lina.b@example.org", "+966547567149", "Riyadh"),
    Person("أسماء", "اليامي", "asma.y@example.com", "+966548678250"),
    Person(
        "شركة واحة الفعاليات",
        None,
        "events@waha-events.example",
        "+966551890472",
        address="طريق الملك فهد، الرياض",
        tax_number="310455667800003",
    ),
    Person(
        "Bayt Al-Reef Hotels",
        None,
        "procurement@baytalreef.example",
        "+966552901583",
        "Riyadh",
        "Olaya Street, Riyadh",
        tax_number="300987612300003",
    ),
    Person("مؤسسة نسيم للإنتاج", None, None, "+966553012694", tax_number="311203344500003"),
    Person("حنان", "الفيفي", "hanan@example.com", "+966555123705", "أبها"),
)
