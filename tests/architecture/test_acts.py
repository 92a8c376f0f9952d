"""Act, database function, events and activity: one name each, listed in docs/acts.md."""

import pytest

from tests.architecture.acts import DOCUMENT, FoundAct, camel, document, find_acts

# Functions without an act of their name, and why.
OTHER_NAMES = {
    "change_customer_consent": "RecordConsent and WithdrawConsent",
    "change_photo_consent": "RecordPhotoConsent and WithdrawPhotoConsent",
    "finish_draft": "ChangeDraft, if the draft becomes an order",
    "replace_draft": "ChangeDraft, if it stays a draft",
    "save_calendar_feed": "CreateCalendarFeed and ReplaceCalendarFeed",
    "save_commission_rate": "CreateCommissionRate and ChangeCommissionRate",
    "save_message_settings": "SetMessageTexts, SetMessageTimes and SwitchMessage change a part of them each",
    "save_order_view": "CreateOrderView, ReplaceOrderView and RenameOrderView",
    "save_waiting_entry": "AddWaitingEntry and ChangeWaitingEntry",
    "set_customer_blocked": "BlockCustomer and UnblockCustomer",
    "update_payment_method": "RenamePaymentMethod and SetPaymentMethodActive",
}


@pytest.fixture(scope="module")
def acts() -> list[FoundAct]:
    return find_acts()


def test_the_list_of_acts_is_up_to_date(acts: list[FoundAct]) -> None:
    assert DOCUMENT.read_text("utf-8") == document(acts), "run python -m tests.architecture.acts"


def test_every_act_calls_a_database_function(acts: list[FoundAct]) -> None:
    assert [act.name for act in acts if not act.functions] == []


def test_a_database_function_has_the_name_of_an_act(acts: list[FoundAct]) -> None:
    """Variants of an act, such as a sale at the till, have names of their own."""
    names = {act.name for act in acts}
    called = {function for act in acts for function in act.functions}
    assert {function for function in called if camel(function) not in names} == OTHER_NAMES.keys()


def test_acts_have_different_names(acts: list[FoundAct]) -> None:
    names = [act.name for act in acts]
    assert len(names) == len(set(names))
