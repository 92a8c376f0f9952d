"""The words of messages to people with an account, in both languages."""

from typing import Final

from frontdesk.messages.types import KindWords

ACCOUNT_WORDS: Final[dict[str, dict[str, KindWords]]] = {
    "password_reset": {
        "en": KindWords(
            "Set a new password",
            "Set a new password",
            "We received a request to set a new password for this address. The link works once, for a short time.",
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
    "sign_up": {
        "en": KindWords(
            "Go on with your sign-up",
            "Go on with your sign-up",
            "A sign-up was requested with this address. Choose a password with the link. It works for a day.",
            "Choose a password with the link.",
            "If it was not you, nothing needs to be done: there is no account until the link is used.",
        ),
        "ar": KindWords(
            "متابعة التسجيل",
            "متابعة التسجيل",
            "طُلب التسجيل بهذا العنوان. تُختار كلمة المرور بالرابط، وهو صالح ليوم واحد.",
            "تُختار كلمة المرور بالرابط.",
            "إذا لم يكن الطلب منك فلا حاجة إلى أي إجراء: لا يُنشأ حساب قبل استخدام الرابط.",
        ),
    },
    "account_exists": {
        "en": KindWords(
            "You have an account already",
            "You have an account already",
            "A sign-up was requested with this address, which has an account already. Sign in with it. "
            "“Forgot your password?” on the sign-in page sends a link for a new password.",
            "Sign in with the account that you have.",
            "If it was not you, nothing needs to be done: nothing has changed.",
        ),
        "ar": KindWords(
            "الحساب موجود من قبل",
            "الحساب موجود من قبل",
            "طُلب التسجيل بهذا العنوان، وله حساب من قبل. يمكن تسجيل الدخول به، ويُرسل «هل نسيت كلمة المرور؟» "
            "في صفحة تسجيل الدخول رابطًا لكلمة مرور جديدة.",
            "يمكن تسجيل الدخول بالحساب الموجود.",
            "إذا لم يكن الطلب منك فلا حاجة إلى أي إجراء: لم يتغيّر شيء.",
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
    "email_changed": {
        "en": KindWords(
            "The address of your account has changed",
            "Your address has changed",
            "Another address was confirmed for your account. This one no longer signs in.",
            "Another address was confirmed for your account.",
            "If it was not you, tell the owner of your business or the operator of this service now.",
        ),
        "ar": KindWords(
            "تغيّر عنوان الحساب",
            "تغيّر العنوان",
            "أُكّد عنوان آخر للحساب، ولم يعد هذا العنوان صالحًا للدخول.",
            "أُكّد عنوان آخر للحساب.",
            "إذا لم يكن ذلك منك فأبلغ مالك المنشأة أو مشغّل هذه الخدمة الآن.",
        ),
    },
    "new_device": {
        "en": KindWords(
            "New sign-in to your account",
            "New sign-in",
            "Your account was used to sign in on a new device.",
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
