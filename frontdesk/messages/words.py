"""The words of the messages, in both languages. The texts of a kind are templates: {name} is a placeholder."""

from typing import Final, NamedTuple


class KindWords(NamedTuple):
    subject: str
    heading: str
    opening: str
    preheader: str
    note: str = ""


PLACEHOLDERS: Final = (
    *("first_name", "business", "branch", "service", "provider"),
    *("day", "date", "weekday", "time", "when", "number"),
)

KIND_WORDS: Final[dict[str, dict[str, KindWords]]] = {
    "confirmation": {
        "en": KindWords(
            "Your booking at {business}, {day} {time}",
            "See you on {weekday}, {first_name}",
            "Your booking is confirmed.",
            "{service} with {provider}, {branch}.",
        ),
        "ar": KindWords(
            "الحجز في {business}، {day} {time}",
            "إلى لقاء {weekday} يا {first_name}",
            "الحجز مؤكد.",
            "{service} مع {provider}، {branch}.",
        ),
    },
    "reminder": {
        "en": KindWords(
            "{when}: {business}",
            "{when}, {first_name}",
            "A short reminder of your booking. If the time no longer suits, please tell us today.",
            "{service} with {provider}, {branch}.",
        ),
        "ar": KindWords(
            "{when}: {business}",
            "{when} يا {first_name}",
            "تذكير قصير بالموعد. إن لم يعد الوقت مناسبًا فنرجو إبلاغنا اليوم.",
            "{service} مع {provider}، {branch}.",
        ),
    },
    "change": {
        "en": KindWords(
            "Your booking at {business} has changed: {day} {time}",
            "See you on {weekday}, {first_name}",
            "Your booking has changed. This is how it is now.",
            "{service} with {provider}, {branch}.",
        ),
        "ar": KindWords(
            "تغيّر الحجز في {business}: {day} {time}",
            "إلى لقاء {weekday} يا {first_name}",
            "تغيّر الحجز، وهذه تفاصيله الآن.",
            "{service} مع {provider}، {branch}.",
        ),
    },
    "cancellation": {
        "en": KindWords(
            "Canceled: your booking at {business}, {day} {time}",
            "Your booking is canceled, {first_name}",
            "This booking does not take place. We would be glad to see you another time.",
            "{service} with {provider}, {branch}.",
        ),
        "ar": KindWords(
            "أُلغي الحجز في {business}، {day} {time}",
            "أُلغي الحجز يا {first_name}",
            "لن يُقام هذا الموعد. يسعدنا اللقاء في وقت آخر.",
            "{service} مع {provider}، {branch}.",
        ),
    },
    "waiting_list_offer": {
        "en": KindWords(
            "A time is free at {business}: {day} {time}",
            "A time is free, {first_name}",
            "You are on our waiting list. This time is free now; whoever books first gets it.",
            "{service}, {day} {time}.",
        ),
        "ar": KindWords(
            "وقت متاح في {business}: {day} {time}",
            "يوجد وقت متاح يا {first_name}",
            "الاسم في قائمة الانتظار لدينا. هذا الوقت متاح الآن، وهو لمن يحجز أولًا.",
            "{service}، {day} {time}.",
        ),
    },
    "receipt": {
        "en": KindWords(
            "Your receipt from {business}",
            "Thank you, {first_name}",
            "This is the receipt of your visit.",
            "Receipt {number}.",
        ),
        "ar": KindWords(
            "الإيصال من {business}",
            "شكرًا يا {first_name}",
            "هذا إيصال الزيارة.",
            "الإيصال رقم {number}.",
        ),
    },
    "contact_code": {
        "en": KindWords(
            "Your code for {business}",
            "Your code",
            "Enter this code on the booking page. It is valid for a short time.",
            "Enter this code on the booking page.",
            "If nobody booked with this address, nothing needs to be done.",
        ),
        "ar": KindWords(
            "رمز التحقق من {business}",
            "رمز التحقق",
            "يُدخل هذا الرمز في صفحة الحجز، وهو صالح لوقت قصير.",
            "يُدخل هذا الرمز في صفحة الحجز.",
            "إذا لم يحجز أحد بهذا العنوان فلا حاجة إلى أي إجراء.",
        ),
    },
    "bookings_link": {
        "en": KindWords(
            "Your bookings at {business}",
            "Your bookings",
            "This link shows all coming bookings with this address.",
            "All coming bookings with this address.",
            "Whoever has the link can see and change the bookings. If nobody asked for it, nothing needs to be done.",
        ),
        "ar": KindWords(
            "الحجوزات في {business}",
            "الحجوزات",
            "يعرض هذا الرابط جميع الحجوزات القادمة بهذا العنوان.",
            "جميع الحجوزات القادمة بهذا العنوان.",
            "يمكن لمن لديه الرابط رؤية الحجوزات وتغييرها. إذا لم يطلبه أحد فلا حاجة إلى أي إجراء.",
        ),
    },
    "password_reset": {
        "en": KindWords(
            "Set a new password",
            "Set a new password",
            "Somebody asked to set a new password for this address. The link works once, for a short time.",
            "The link works once.",
            "If it was not you, nothing needs to be done: the password stays as it is.",
        ),
        "ar": KindWords(
            "تعيين كلمة مرور جديدة",
            "تعيين كلمة مرور جديدة",
            "طُلب تعيين كلمة مرور جديدة لهذا العنوان. يعمل الرابط مرة واحدة ولوقت قصير.",
            "يعمل الرابط مرة واحدة.",
            "إذا لم يكن الطلب منك فلا حاجة إلى أي إجراء، وتبقى كلمة المرور كما هي.",
        ),
    },
    "email_verification": {
        "en": KindWords(
            "Confirm your address",
            "Confirm your address",
            "This address was entered for an account. Please confirm that it is yours.",
            "Please confirm that this address is yours.",
            "If it was not you, nothing needs to be done.",
        ),
        "ar": KindWords(
            "تأكيد العنوان",
            "تأكيد العنوان",
            "أُدخل هذا العنوان لحساب. نرجو تأكيد أنه لك.",
            "نرجو تأكيد أن هذا العنوان لك.",
            "إذا لم يكن الطلب منك فلا حاجة إلى أي إجراء.",
        ),
    },
    "invitation": {
        "en": KindWords(
            "{business} invites you",
            "{business} invites you",
            "You can sign in there as {role}. The link creates your account, or adds the business to it.",
            "Accept with the link.",
            "If you do not expect this, nothing needs to be done.",
        ),
        "ar": KindWords(
            "دعوة من {business}",
            "دعوة من {business}",
            "يمكن الدخول بدور: {role}. ينشئ الرابط الحساب أو يضيف المنشأة إليه.",
            "تُقبل الدعوة بالرابط.",
            "إذا لم تكن هذه الدعوة متوقعة فلا حاجة إلى أي إجراء.",
        ),
    },
    "password_changed": {
        "en": KindWords(
            "Your password has changed",
            "Your password has changed",
            "A new password was set for your account. Your other devices are signed out.",
            "A new password was set for your account.",
            "If it was not you, choose a new password with “Forgot your password?” on the sign-in page now.",
        ),
        "ar": KindWords(
            "تغيّرت كلمة المرور",
            "تغيّرت كلمة المرور",
            "عُيّنت كلمة مرور جديدة للحساب، وسُجّل الخروج من الأجهزة الأخرى.",
            "عُيّنت كلمة مرور جديدة للحساب.",
            "إذا لم يكن ذلك منك فاختر كلمة مرور جديدة الآن من «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول.",
        ),
    },
    "new_device": {
        "en": KindWords(
            "New sign-in to your account",
            "New sign-in",
            "Somebody signed in to your account on a device that was not used before.",
            "On a device that was not used before.",
            "If it was not you, sign that device out with the button, and choose a new password.",
        ),
        "ar": KindWords(
            "دخول جديد إلى الحساب",
            "دخول جديد",
            "دخل شخص إلى الحساب من جهاز لم يُستخدم من قبل.",
            "من جهاز لم يُستخدم من قبل.",
            "إذا لم يكن ذلك منك فسجّل خروج ذلك الجهاز بالزر، واختر كلمة مرور جديدة.",
        ),
    },
    "second_factor_changed": {
        "en": KindWords(
            "The second factor of your account has changed",
            "Your second factor",
            "{change}",
            "{change}",
            "If it was not you, choose a new password now, and look at the page of your account.",
        ),
        "ar": KindWords(
            "تغيّر العامل الثاني للحساب",
            "العامل الثاني",
            "{change}",
            "{change}",
            "إذا لم يكن ذلك منك فاختر كلمة مرور جديدة الآن، وراجع صفحة الحساب.",
        ),
    },
}

PHRASES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "today": "Today at {time}",
        "tomorrow": "Tomorrow at {time}",
        "other_day": "{day} at {time}",
        "span": "{start} to {end}",
        "with": "with {provider}",
        "where": "Where",
        "directions": "Directions",
        "to_pay": "To pay on site",
        "number": "Booking number",
        "receipt_number": "Receipt",
        "total": "Total",
        "also": "Also on",
        "device": "Device",
        "address": "Address",
        "time": "Time",
        "move_or_cancel": "Move or cancel",
        "see": "See the booking",
        "add_to_calendar": "Add to calendar",
        "book_again": "Book another time",
        "book_offer": "Book this time",
        "open_receipt": "Open the receipt",
        "see_bookings": "See my bookings",
        "set_password": "Set a new password",
        "confirm_address": "Confirm the address",
        "accept": "Accept the invitation",
        "end_session": "See it, or sign it out",
        "factor_added": "A second factor was added to your account.",
        "factor_removed": "A second factor was removed from your account.",
        "factor_removed_by_operator": "The operator of this service removed the second factor of your account.",
        "factor_recovery_codes": "New recovery codes were made for your account. The earlier ones no longer work.",
        "factor_recovery_code_used": "A recovery code was used to sign in to your account.",
        "free_until": "Free to move or cancel until {limit}.",
        "free_ended": "The free time to cancel ended {limit}.",
        "after_call": "After that, please call {phone}.",
        "changes_call": "For changes, please call {phone}.",
        "why": "You get this mail because a booking was made with this address. It holds no advertising.",
        "why_account": "You get this mail because of your account. It holds no advertising.",
        "reminders_before": "You get this reminder because of your booking.",
        "stop": "No more reminders",
        "greeting_name": "",
        "owner": "owner",
        "manager": "manager",
        "receptionist": "receptionist",
        "cashier": "cashier",
        "provider": "provider",
    },
    "ar": {
        "today": "اليوم {time}",
        "tomorrow": "غدًا {time}",
        "other_day": "{day} {time}",
        "span": "من {start} إلى {end}",
        "with": "مع {provider}",
        "where": "أين",
        "directions": "الاتجاهات",
        "to_pay": "الدفع عند الحضور",
        "number": "رقم الحجز",
        "receipt_number": "الإيصال",
        "total": "الإجمالي",
        "also": "وأيضًا",
        "device": "الجهاز",
        "address": "العنوان",
        "time": "الوقت",
        "move_or_cancel": "نقل أو إلغاء",
        "see": "عرض الحجز",
        "add_to_calendar": "إضافة إلى التقويم",
        "book_again": "حجز وقت آخر",
        "book_offer": "حجز هذا الوقت",
        "open_receipt": "عرض الإيصال",
        "see_bookings": "عرض الحجوزات",
        "set_password": "تعيين كلمة مرور جديدة",
        "confirm_address": "تأكيد العنوان",
        "accept": "قبول الدعوة",
        "end_session": "عرض الجهاز أو تسجيل خروجه",
        "factor_added": "أُضيف عامل ثانٍ إلى الحساب.",
        "factor_removed": "أُزيل عامل ثانٍ من الحساب.",
        "factor_removed_by_operator": "أزال مشغّل هذه الخدمة العامل الثاني للحساب.",
        "factor_recovery_codes": "أُنشئت رموز استرداد جديدة للحساب، ولا تعمل الرموز السابقة.",
        "factor_recovery_code_used": "استُخدم رمز استرداد لتسجيل الدخول إلى الحساب.",
        "free_until": "النقل والإلغاء مجانًا حتى {limit}.",
        "free_ended": "انتهت مهلة الإلغاء المجاني {limit}.",
        "after_call": "بعد ذلك يكون التغيير بالاتصال على {phone}.",
        "changes_call": "للتغيير نرجو الاتصال على {phone}.",
        "why": "وصلت هذه الرسالة لأن حجزًا سُجل بهذا العنوان. لا تتضمن أي إعلان.",
        "why_account": "وصلت هذه الرسالة بسبب الحساب. لا تتضمن أي إعلان.",
        "reminders_before": "وصل هذا التذكير بسبب الحجز.",
        "stop": "إيقاف التذكيرات",
        "greeting_name": "",
        "owner": "مالك",
        "manager": "مدير",
        "receptionist": "موظف استقبال",
        "cashier": "أمين صندوق",
        "provider": "مقدم خدمة",
    },
}
