"""The Open API: its endpoints under one prefix, authenticated by access token."""

from functools import cache

from frontdesk.apis.dry_run import render_events
from frontdesk.apis.open import (
    availability,
    branches,
    categories,
    changelog,
    customer_acts,
    customers,
    events,
    exports,
    holds,
    item_changes,
    items,
    limits,
    oauth,
    orders,
    packages,
    payment_methods,
    refunds,
    requests,
    sandbox,
    search,
    set_up,
    staff,
    tax_classes,
    transactions,
    webhooks,
)
from frontdesk.apis.open.authentication import authenticate_open_api
from frontdesk.apis.open.back_office import (
    closed_days,
    hour_exceptions,
    message_settings,
    page_and_drawer_settings,
    pay,
    places,
    settings,
    time_off,
)
from frontdesk.apis.open.front_desk import notes, order_changes, series, waiting_list
from frontdesk.apis.problems import answer_problem
from frontdesk.apis.shown_customers import customers_in
from frontdesk.http.endpoints import Api

PREFIX = "/open-api/v1"


@cache
def open_api() -> Api:
    catalog = (branches, categories, items, item_changes, packages, tax_classes, staff, set_up, places)
    settings_of = (settings, page_and_drawer_settings, message_settings, pay)
    bookings = (availability, holds, waiting_list, orders, order_changes, series, refunds, transactions)
    of_client = (webhooks, events, exports, limits, requests, changelog, sandbox)
    absence = (hour_exceptions, closed_days, time_off)
    people = (customers, customer_acts, notes)
    setting_up = (*catalog, *settings_of, *absence, payment_methods)
    files = (oauth, *setting_up, *people, *bookings, search, *of_client)
    groups = [file.operations for file in files]
    return Api(
        "Open API",
        PREFIX,
        authenticate_open_api,
        answer_problem,
        groups,
        render_events=render_events,
        customers_in=customers_in,
    )
