"""What the dashboard does, an application can do by an operation of the APIs; or it is written here why not.

The acts are read in docs/acts.md, which test_acts.py compares with the code.
"""

import re

from tests.architecture.acts import DOCUMENT

_ROW = re.compile(r"^\| (\w+) \|.*\| ([^|]*) \|$", re.MULTILINE)

# Acts whose change an operation makes by another act, which is the value.
BY_ANOTHER_ACT = {
    "AnswerNoTax": "ChangeSettings",
    "BookOnline": "CreateOrder",
    "BookOrders": "CreateOrder",
    "CancelOwnBooking": "ChangeOrderStatus",
    "ChangeDraft": "ChangePosDraft",
    "ChangeStatusInBulk": "ChangeOrderStatus",
    "CheckOutOrder": "EditOrder",  # and then a payment
    "CopyItem": "SaveItem",
    "CreateTranslatedMethod": "CreatePaymentMethod",  # which takes one name
    "DeleteHourException": "ResetHoursOfDay",
    "ExchangeOrder": "RefundOrder",  # and then a new order
    "GiveUpAppointment": "CancelOrder",
    "JoinWaitingList": "AddWaitingEntry",
    "LetAllPerform": "ChangeItem",
    "MailReceipt": "CreateReceiptLink",  # which the application sends
    "MoveBooking": "RescheduleOrder",
    "MoveCategory": "PlaceCategory",
    "MoveItem": "PlaceItem",
    "MoveOwnBooking": "RescheduleOrder",
    "MoveStaffMember": "PlaceStaffMember",
    "OrderPaymentMethods": "PlacePaymentMethod",
    "ParkCart": "CreatePosOrder",
    "ParkCartAgain": "ChangePosDraft",
    "SaveBookingPage": "ChangeBookingPage",
    "SaveCancelReasons": "ChangeSettings",
    "SaveDrawerSettings": "ChangeDrawerSettings",
    "SaveHourException": "SetHoursOfDay",
    "SellCart": "CreatePosOrder",
    "RenamePaymentMethod": "ChangePaymentMethod",
    "SellParkedCart": "ChangePosDraft",
    "SetBranchActive": "ChangeBranch",
    "SetCommissionBasis": "ChangeSettings",
    "SetItemStatus": "ChangeItem",
    "SetMessageTexts": "ChangeMessageSettings",
    "SetMessageTimes": "ChangeMessageSettings",
    "SetPaymentMethodActive": "ChangePaymentMethod",
    "SetPackageStatus": "ChangePackage",
    "SetStaffActive": "ChangeStaffMember",
    "SetStaffServices": "ChangeStaffMember",
    "SwitchMessage": "ChangeMessageSettings",
    "PayTogether": "PayOrder",  # order after order
    "SettleAccount": "PayOrder",  # order after order
    "TakePayments": "PayOrder",  # one payment after the other
    "UndoMove": "RescheduleOrder",  # to the time before
    "UpdateSettings": "ChangeSettings",
    "VoidSale": "RefundOrder",
}

# Acts without an operation, by the reason.
WITHOUT_OPERATION = {
    "a person counts the cash at the drawer and signs for it; a till closes its day by the POS API": {
        "CloseShift",
        "CountDrawer",
        "MoveDrawerCash",
        "OpenDrawer",
        "ReopenDay",
        "ReopenShift",
    },
    "a manager decides to whom the business lends": {"SetAccountLimit"},
    "a customer agrees to a photo in front of the person who takes it, and sees it there": {
        "AddCustomerPhoto",
        "DeleteCustomerPhoto",
    },
    "messages have links of customers, so only the page that sends them again lists them": {
        "RetryMessages",
        "SendMessageAgain",
    },
    "the customer agrees or objects by a link, or tells a person, who records it": {
        "RecordConsent",
        "RecordPhotoConsent",
        "StopReminders",
        "WithdrawConsent",
        "WithdrawPhotoConsent",
    },
    "it cannot be undone, so a person confirms it who has read what is erased": {"EraseCustomer"},
    "only the pages of the dashboard show it, or it goes to the person who is signed in": {
        "CreateOrderView",
        "DeleteOrderView",
        "DismissSetupStep",
        "QueueMessage",  # a sample
        "RenameOrderView",
        "ReplaceOrderView",
        "SaveCalendarView",
        "SaveNotificationSettings",
        "SaveReportSettings",
    },
    "it connects a calendar program of a person by a secret address": {
        "CreateCalendarFeed",
        "DeleteCalendarFeed",
        "DeleteExternalCalendar",
        "ReplaceCalendarFeed",
        "SaveExternalCalendar",
    },
    "only an owner decides how much of the names of customers is shown at secret addresses": {"SaveCalendarSettings"},
    "it limits what applications may do": {"ExtendScopeBudget", "SaveScopeBudget"},
    "people decide who signs in as whom": {"LinkMember"},
}


def _acts() -> dict[str, bool]:
    """All acts by name, and whether one of those who may run it is a client of an API."""
    rows = dict(_ROW.findall(DOCUMENT.read_text("utf-8")))
    del rows["act"]
    return {name: any(map(_is_operation, access.split(", "))) for name, access in rows.items()}


def _is_operation(access: str) -> bool:
    """A scope, an operation without one, or the key of a till."""
    return access.startswith("`") or access in {"any client", "key"}


def test_every_act_has_an_operation_or_a_reason() -> None:
    acts = _acts()
    assert len(acts) > 150
    reasons = {name for names in WITHOUT_OPERATION.values() for name in names}
    without = {name for name, has_operation in acts.items() if not has_operation}
    assert without - BY_ANOTHER_ACT.keys() == reasons, "give the act an operation, or a reason here"


def test_another_act_has_the_operation() -> None:
    acts = _acts()
    assert [other for other in BY_ANOTHER_ACT.values() if not acts[other]] == []
    assert [name for name in BY_ANOTHER_ACT if acts[name]] == []


def test_an_act_is_in_one_row() -> None:
    names = [name for names in WITHOUT_OPERATION.values() for name in names]
    assert len(names) == len(set(names))
    assert BY_ANOTHER_ACT.keys() & set(names) == set()
