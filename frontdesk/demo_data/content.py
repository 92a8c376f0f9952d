"""The catalog and payment methods of the sandbox. Data only; all of it is invented."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

Text = dict[str, str]

TIMEZONE = "Asia/Riyadh"
CURRENCY = "SAR"
DECIMALS = 2
LANGUAGES = ("ar", "en")
COUNTRY = "SA"
SLUG = "lamsa"  # with the end of the tenant's id
TENANT_NAME = "استوديو لمسة | Lamsa Studio"
TAX_CLASS: Text = {"ar": "النسبة الأساسية", "en": "Standard rate"}
TAX_RATE = Decimal("15")
TAX_SINCE = date(2020, 7, 1)
TAX_NUMBER = "310122393500003"


class DemoBranch(NamedTuple):
    name: str
    names: Text
    slug: str
    phone: str
    address: str
    latitude: Decimal
    longitude: Decimal
    location: str


BRANCH = DemoBranch(
    name="لمسة – حي الياسمين",
    names={"en": "Lamsa – Al Yasmin"},
    slug="lamsa-alyasmin",
    phone="+966501180240",
    address="طريق أنس بن مالك، حي الياسمين، الرياض 13325",
    latitude=Decimal("24.823400"),
    longitude=Decimal("46.641700"),
    location="https://maps.example/lamsa-alyasmin",
)


class Category(NamedTuple):
    slug: str
    name: Text
    description: Text


CATEGORIES = (
    Category(
        "hair",
        {"ar": "الشعر", "en": "Hair"},
        {"ar": "قص وتصفيف وصبغ وعلاج", "en": "Cuts, styling, colour and treatments"},
    ),
    Category(
        "care",
        {"ar": "العناية والأظافر", "en": "Care and nails"},
        {"ar": "بشرة وأظافر وحواجب", "en": "Skin, nails and brows"},
    ),
    Category(
        "shop",
        {"ar": "المتجر", "en": "Shop"},
        {"ar": "منتجات نستعملها ونبيعها", "en": "What we use ourselves, to take home"},
    ),
)


class Option(NamedTuple):
    """`duration` of a service's variant, `quantity` in stock of a product's."""

    name: Text
    price: Decimal
    offer_price: Decimal | None
    value_of: Text  # what the option is one value of
    duration: int | None = None
    quantity: int | None = None


class Item(NamedTuple):
    slug: str
    category: str
    name: Text
    description: Text
    html: Text
    price: Decimal
    offer_price: Decimal | None = None
    duration: int | None = None
    cost: Decimal | None = None
    stock: int | None = None
    options: tuple[Option, ...] = ()


SERVICES = (
    Item(
        "haircut",
        "hair",
        {"ar": "قص شعر", "en": "Haircut"},
        {"ar": "غسيل وقص وتجفيف سريع", "en": "Wash, cut and a quick dry"},
        {"ar": "<p>غسيل وقص وتجفيف سريع.</p>", "en": "<p>Wash, cut and a quick dry.</p>"},
        price=Decimal("120.00"),
        duration=45,
    ),
    Item(
        "blow-dry",
        "hair",
        {"ar": "استشوار", "en": "Blow-dry"},
        {"ar": "غسيل واستشوار", "en": "Wash and blow-dry"},
        {"ar": "<p>غسيل واستشوار لكل أطوال الشعر.</p>", "en": "<p>Wash and blow-dry, any length.</p>"},
        price=Decimal("80.00"),
        offer_price=Decimal("65.00"),
        duration=30,
    ),
    Item(
        "hair-colour",
        "hair",
        {"ar": "صبغة شعر", "en": "Hair colour"},
        {"ar": "صبغة كاملة بدون أمونيا", "en": "Full colour without ammonia"},
        {
            "ar": "<p>صبغة كاملة بدون أمونيا.</p><ul><li>استشارة اللون</li><li>صبغة</li><li>غسيل</li></ul>",
            "en": "<p>Full colour, no ammonia.</p><ul><li>Advice</li><li>Colour</li><li>Wash</li></ul>",
        },
        price=Decimal("250.00"),
        duration=90,
        options=(
            Option(
                {"ar": "قصير", "en": "Short"}, Decimal("250.00"), None, {"ar": "طول الشعر", "en": "Length"}, duration=90
            ),
            Option(
                {"ar": "متوسط", "en": "Medium"},
                Decimal("320.00"),
                Decimal("290.00"),
                {"ar": "طول الشعر", "en": "Length"},
                duration=120,
            ),
            Option(
                {"ar": "طويل", "en": "Long"}, Decimal("400.00"), None, {"ar": "طول الشعر", "en": "Length"}, duration=150
            ),
        ),
    ),
    Item(
        "protein-treatment",
        "hair",
        {"ar": "علاج بالبروتين", "en": "Protein treatment"},
        {"ar": "تغذية وفرد للشعر التالف", "en": "Feeds and smooths damaged hair"},
        {"ar": "<p>تغذية وفرد للشعر التالف.</p>", "en": "<p>Feeds and smooths damaged hair.</p>"},
        price=Decimal("480.00"),
        duration=120,
    ),
    Item(
        "manicure",
        "care",
        {"ar": "مانيكير", "en": "Manicure"},
        {"ar": "تنظيف وبرد وطلاء", "en": "Clean, file and polish"},
        {"ar": "<p>تنظيف وبرد وطلاء.</p>", "en": "<p>Clean, file and polish.</p>"},
        price=Decimal("90.00"),
        duration=45,
    ),
    Item(
        "pedicure",
        "care",
        {"ar": "باديكير", "en": "Pedicure"},
        {"ar": "حمام قدمين وعناية كاملة", "en": "Foot bath and full care"},
        {"ar": "<p>حمام قدمين وعناية كاملة.</p>", "en": "<p>Foot bath and full care.</p>"},
        price=Decimal("110.00"),
        offer_price=Decimal("95.00"),
        duration=60,
    ),
    Item(
        "facial",
        "care",
        {"ar": "تنظيف بشرة عميق", "en": "Deep facial"},
        {"ar": "بخار وتقشير وقناع", "en": "Steam, peel and mask"},
        {
            "ar": "<p>جلسة كاملة:</p><ul><li>بخار</li><li>تقشير</li><li>قناع</li></ul>",
            "en": "<p>A whole session:</p><ul><li>Steam</li><li>Peel</li><li>Mask</li></ul>",
        },
        price=Decimal("260.00"),
        offer_price=Decimal("219.50"),
        duration=75,
    ),
    Item(
        "brows",
        "care",
        {"ar": "تحديد حواجب", "en": "Brow shaping"},
        {"ar": "تحديد سريع بالخيط", "en": "Quick shaping with thread"},
        {"ar": "<p>تحديد سريع بالخيط.</p>", "en": "<p>Quick shaping with thread.</p>"},
        price=Decimal("35.00"),
        duration=15,
    ),
)

PRODUCTS = (
    Item(
        "argan-shampoo",
        "shop",
        {"ar": "شامبو الأرغان", "en": "Argan shampoo"},
        {"ar": "بدون كبريتات", "en": "Free of sulphates"},
        {"ar": "<p>بدون كبريتات.</p>", "en": "<p>Free of sulphates.</p>"},
        price=Decimal("60.00"),
        cost=Decimal("24.00"),
        stock=500,
        options=(
            Option(
                {"ar": "250 مل", "en": "250 ml"}, Decimal("60.00"), None, {"ar": "الحجم", "en": "Size"}, quantity=320
            ),
            Option(
                {"ar": "500 مل", "en": "500 ml"},
                Decimal("99.00"),
                Decimal("89.00"),
                {"ar": "الحجم", "en": "Size"},
                quantity=180,
            ),
        ),
    ),
    Item(
        "hair-mask",
        "shop",
        {"ar": "قناع للشعر", "en": "Hair mask"},
        {"ar": "مرة في الأسبوع", "en": "Once a week"},
        {"ar": "<p>مرة في الأسبوع، عشر دقائق.</p>", "en": "<p>Once a week, ten minutes.</p>"},
        price=Decimal("75.00"),
        cost=Decimal("31.50"),
        stock=500,
    ),
    Item(
        "oud-hair-mist",
        "shop",
        {"ar": "عطر شعر بالعود", "en": "Oud hair mist"},
        {"ar": "إصدار محدود", "en": "Limited edition"},
        {"ar": "<p>إصدار محدود.</p>", "en": "<p>Limited edition.</p>"},
        price=Decimal("145.00"),
        cost=Decimal("70.00"),
        stock=20,
    ),
    Item(
        "nail-polish",
        "shop",
        {"ar": "طلاء أظافر", "en": "Nail polish"},
        {"ar": "يسمح بمرور الماء", "en": "Lets water through"},
        {"ar": "<p>يسمح بمرور الماء.</p>", "en": "<p>Lets water through.</p>"},
        price=Decimal("39.00"),
        offer_price=Decimal("33.15"),
        cost=Decimal("11.25"),
        stock=500,
    ),
    Item(
        "sunscreen",
        "shop",
        {"ar": "واقي شمس SPF 50", "en": "Sunscreen SPF 50"},
        {"ar": "خفيف وبدون لون", "en": "Light, without colour"},
        {"ar": "<p>خفيف وبدون لون.</p>", "en": "<p>Light, without colour.</p>"},
        price=Decimal("118.00"),
        cost=Decimal("52.40"),
        stock=500,
    ),
    Item(
        "hand-cream",
        "shop",
        {"ar": "كريم يدين بالورد الطائفي", "en": "Taif rose hand cream"},
        {"ar": "75 مل", "en": "75 ml"},
        {"ar": "<p>75 مل.</p>", "en": "<p>75 ml.</p>"},
        price=Decimal("45.50"),
        cost=Decimal("15.00"),
        stock=500,
    ),
)


class Package(NamedTuple):
    slug: str
    name: Text
    description: Text
    price: Decimal
    offer_price: Decimal | None
    contents: tuple[tuple[str, int], ...]


PACKAGE = Package(
    "evening-ready",
    {"ar": "باقة السهرة", "en": "Evening ready"},
    {"ar": "استشوار وقناع للشعر إلى البيت", "en": "A blow-dry, and a hair mask to take home"},
    price=Decimal("140.00"),
    offer_price=Decimal("125.00"),
    contents=(("blow-dry", 1), ("hair-mask", 1)),
)


class PaymentMethod(NamedTuple):
    slug: str
    type: str
    name: Text


PAYMENT_METHODS = (
    PaymentMethod("cash", "cash", {"ar": "نقدًا", "en": "Cash"}),
    PaymentMethod("card", "card", {"ar": "بطاقة", "en": "Card"}),
    PaymentMethod("bank_transfer", "bank_transfer", {"ar": "حوالة بنكية", "en": "Bank transfer"}),
)
APPLICATION_METHOD = PaymentMethod("mizan-pay", "third-party", {"ar": "ميزان باي", "en": "Mizan Pay"})


class Application(NamedTuple):
    slug: str
    name: str
    developer: str
    developer_email: str
    description: Text
    links: dict[str, str]
    scopes: tuple[tuple[str, str, bool], ...]  # scope, reason, required


APPLICATION = Application(
    slug="mizan-pay",
    name="Mizan Pay",
    developer="Mizan Labs",
    developer_email="developers@mizan-pay.example",
    description={
        "ar": "دفع على أقساط لطلبات الحجز",
        "en": "Lets customers pay for their orders in instalments",
    },
    links={"website": "https://mizan-pay.example", "support": "https://mizan-pay.example/support"},
    scopes=(
        ("orders:read", "To know what is being paid", True),
        ("transactions:read", "To match what arrived with what was recorded", True),
        ("transactions:write", "To record a payment when it arrives", True),
        ("payment_methods:read", "To find its own method", True),
        ("customers:read", "To send reminders of instalments", False),
    ),
)
TAGS = ("VIP", "عميلة دائمة")
