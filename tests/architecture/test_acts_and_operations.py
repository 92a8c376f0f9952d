"""What the dashboard does, an application can do by an operation of the APIs; or it is written here why not.

The acts are read in docs/acts.md, which test_acts.py compares with the code.
"""

import re

from tests.architecture.acts import DOCUMENT

_ROW = re.compile(r"^\| (\w+) \|.*\| ([^|]*) \|$", re.MULTILINE)

# Acts whose change an operation makes by another act, which is the value.
BY_ANOTHER_ACT = {
    "BookOnline": "CreateOrder",
    "BookOrders": "CreateOrder",
    "CancelOwnBooking": "ChangeOrderStatus",
    "ChangeDraft": "ChangePosDraft",
    "ChangeStatusInBulk": "ChangeOrderStatus",
    "CopyItem": "SaveItem",
    "CreateTranslatedMethod": "CreatePaymentMethod",  # which takes one name
    "DeleteHourException": "ResetHoursOfDay",
    "GiveUpAppointment": "CancelOrder",
    "LetAllPerform": "ChangeItem",
    "MoveBooking": "RescheduleOrder",
    "MoveCategory": "PlaceCategory",
    "MoveOwnBooking": "RescheduleOrder",
    "ParkCart": "CreatePosOrder",
    "ParkCartAgain": "ChangePosDraft",
    "SaveHourException": "SetHoursOfDay",
    "SellCart": "CreatePosOrder",
    "RenamePaymentMethod": "ChangePaymentMethod",
    "SellParkedCart": "ChangePosDraft",
    "SetBranchActive": "ChangeBranch",
    "SetItemStatus": "ChangeItem",
    "SetPaymentMethodActive": "ChangePaymentMethod",
    "SetPackageStatus": "ChangePackage",
    "SetStaffActive": "ChangeStaffMember",
    "SetStaffServices": "ChangeStaffMember",
    "TakePayments": "PayOrder",  # one payment after the other
    "UndoMove": "RescheduleOrder",  # to the time before
    "VoidSale": "RefundOrder",
}

# Acts without an operation, by the reason.
WITHOUT_OPERATION = {
    "not built yet: set-up": {
        "ChangeCommissionRate",
        "CreateCommissionRate",
        "DeleteCommissionRate",
        "MoveItem",
        "MoveStaffMember",
        "OrderPaymentMethods",
        "PinToTill",
        "SaveCashier",
        "SetCommissionBasis",
    },
    "not built yet: settings of the business": {
        "AnswerNoTax",
        "SaveBookingPage",
        "SaveCalendarSettings",
        "SaveCancelReasons",
        "SaveDrawerSettings",
        "SaveReportSettings",
        "SetMessageTexts",
        "SetMessageTimes",
        "SwitchMessage",
        "UpdateSettings",
    },
    "not built yet: customers": {
        "AddCustomerNote",
        "AddCustomerPhoto",
        "AddWaitingEntry",
        "ChangeCustomerNote",
        "ChangeWaitingEntry",
        "DeleteCustomerNote",
        "DeleteCustomerPhoto",
        "JoinWaitingList",
        "MarkDistinctCustomers",
        "OfferWaitingTime",
        "RemoveWaitingEntry",
        "SetAccountLimit",
    },
    "not built yet: orders and the till": {
        "BookSeries",
        "CancelSeries",
        "CheckOutOrder",
        "CloseShift",
        "CountDrawer",
        "EditOrder",
        "ExchangeOrder",
        "MoveDrawerCash",
        "OpenDrawer",
        "ReopenDay",
        "ReopenShift",
        "SetOrderArrived",
        "SettleAccount",
    },
    "not built yet: messages and links to customers": {
        "CreateBookingLink",
        "CreateReceiptLink",
        "MailReceipt",
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
    },
    "it connects a calendar program of a person by a secret address": {
        "CreateCalendarFeed",
        "DeleteCalendarFeed",
        "DeleteExternalCalendar",
        "ReplaceCalendarFeed",
        "SaveExternalCalendar",
    },
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
