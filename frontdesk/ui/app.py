"""All pages of the dashboard. A new module is added here, and its navigation items in shell/nav_items.py."""

from frontdesk.ui.account import confirm, pages as account, pin, second_factors
from frontdesk.ui.activity import pages as activity
from frontdesk.ui.applications import budgets, consent, installs, pages as applications, reports as application_reports
from frontdesk.ui.auth import (
    email_verification,
    end_session,
    invitation,
    password_reset,
    second_factor,
    sign_in,
    sign_up,
)
from frontdesk.ui.bell import pages as bell
from frontdesk.ui.booking import (
    new as new_booking,
    series as booking_series,
    waiting as waiting_list,
    why as booking_why,
)
from frontdesk.ui.booking_page import (
    book as public_form,
    customer_booking,
    customer_bookings,
    customer_move,
    pages as public_booking,
    share_card,
    stop_reminders,
    waiting as public_waiting,
)
from frontdesk.ui.business import cashiers, pages as business, payment_methods, tax_classes
from frontdesk.ui.calendar import (
    day_list as calendar_list,
    pages as calendar,
    selected as calendar_bookings,
    view as calendar_view,
)
from frontdesk.ui.calendar_sync import external_calendar, feed_forms, settings as calendar_settings
from frontdesk.ui.catalog import (
    categories as catalogue_categories,
    items as catalogue_items,
    packages as catalogue_packages,
    pages as catalogue,
    price_labels as catalogue_labels,
)
from frontdesk.ui.customers import (
    account as customer_account,
    annotations as customer_annotations,
    birthdays as customer_birthdays,
    counts as customer_counts,
    edit as customer_edit,
    merging as customer_merging,
    pages as customers,
    photos as customer_photos,
)
from frontdesk.ui.day_close import day_close, drawer_settings, pages as drawer, shift, slip
from frontdesk.ui.developer import (
    applications as developer_applications,
    changes as developer_changes,
    pages as developers,
    pictures as application_pictures,
)
from frontdesk.ui.exports import pages as exports
from frontdesk.ui.imports import pages as imports
from frontdesk.ui.live import pages as live
from frontdesk.ui.messages import message as notice, pages as notices
from frontdesk.ui.operator import (
    acts as operator_acts,
    application_reviews,
    health as operator_health,
    messages as operator_messages,
    tenants as operator_tenants,
    users as operator_users,
)
from frontdesk.ui.orders import (
    bulk as order_bulk,
    edit as order_edit,
    list as order_list,
    money as order_money,
    move as order_move,
    pages as orders,
    trace as order_trace,
    views as order_views,
)
from frontdesk.ui.overview import mend, pages as overview
from frontdesk.ui.reports import favorites as report_favorites, pages as reports, rates as commission_rates
from frontdesk.ui.search import pages as search
from frontdesk.ui.settings import (
    api_clients,
    api_keys,
    booking_page,
    branches,
    cancel_reasons,
    client_changes,
    find,
    limits,
    members,
    poster,
    sandbox,
    webhook_form,
    webhooks,
)
from frontdesk.ui.setup import (
    business as start_business,
    look as start_look,
    pages as setup,
    place as start_place,
    services as start_services,
    team as start_team,
)
from frontdesk.ui.shell import pictures, preferences
from frontdesk.ui.shell.routing import Dashboard
from frontdesk.ui.staff import (
    block as staff_block,
    edit as staff_edit,
    exceptions as hour_exceptions,
    hours as staff_hours,
    leave as staff_leave,
    pages as staff,
    time_off,
)
from frontdesk.ui.till import (
    customer as till_customer,
    pages as till,
    payments as till_payments,
    pinned_items,
    receipt,
    returns,
    together,
    void,
    waiting as till_waiting,
)


def dashboard() -> Dashboard:
    modules = (
        *(
            sign_in,
            second_factor,
            end_session,
            preferences,
            pictures,
            invitation,
            overview,
            mend,
            bell,
            account,
            confirm,
            pin,
            second_factors,
            email_verification,
            cancel_reasons,
            find,
            limits,
            members,
            api_clients,
            client_changes,
            api_keys,
            webhook_form,
            webhooks,
            sandbox,
        ),
        *(calendar, calendar_bookings, calendar_list, calendar_view, orders, order_money, activity),
        *(drawer, day_close, shift, slip, drawer_settings),
        *(live, order_list, order_views, order_bulk, order_move, order_edit, order_trace),
        *(till, till_customer, till_payments, till_waiting, pinned_items, returns, receipt, together, void),
        *(new_booking, booking_series, booking_why, waiting_list),
        *(customer_edit, customer_merging, customer_counts, customer_birthdays),
        *(customers, customer_account, customer_annotations, customer_photos, search),
        *(booking_page, business, tax_classes, payment_methods, cashiers, setup, sign_up, password_reset),
        *(start_business, start_services, start_team, start_place, start_look, poster),
        *(staff, staff_edit, staff_hours, hour_exceptions, time_off, staff_block, staff_leave, branches),
        *(calendar_settings, feed_forms, external_calendar),
        *(notices, notice, stop_reminders),
        *(catalogue, catalogue_items, catalogue_packages, catalogue_categories, catalogue_labels),
        *(imports, exports, reports, report_favorites, commission_rates),
        *(applications, installs, budgets, application_reports, consent),
        *(developers, developer_applications, developer_changes),
        *(application_pictures, application_reviews),
        *(public_booking, public_form, public_waiting, customer_booking, customer_bookings, customer_move, share_card),
        *(operator_health, operator_tenants, operator_users, operator_messages, operator_acts),
    )
    return Dashboard([module.pages for module in modules])
