"""All pages of the dashboard. A new module is added here, and its navigation items in shell/nav_items.py."""

from frontdesk.ui.account import confirm, pin, second_factors
from frontdesk.ui.account import pages as account
from frontdesk.ui.activity import pages as activity
from frontdesk.ui.applications import budgets, consent, installs
from frontdesk.ui.applications import pages as applications
from frontdesk.ui.applications import reports as application_reports
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
from frontdesk.ui.booking import new as new_booking
from frontdesk.ui.booking import series as booking_series
from frontdesk.ui.booking import waiting as waiting_list
from frontdesk.ui.booking import why as booking_why
from frontdesk.ui.booking_page import book as public_form
from frontdesk.ui.booking_page import customer_booking, customer_bookings, customer_move, share_card, stop_reminders
from frontdesk.ui.booking_page import pages as public_booking
from frontdesk.ui.booking_page import waiting as public_waiting
from frontdesk.ui.business import cashiers, payment_methods, tax_classes
from frontdesk.ui.business import pages as business
from frontdesk.ui.calendar import day_list as calendar_list
from frontdesk.ui.calendar import pages as calendar
from frontdesk.ui.calendar import selected as calendar_bookings
from frontdesk.ui.calendar import view as calendar_view
from frontdesk.ui.calendar_sync import external_calendar, feed_forms
from frontdesk.ui.calendar_sync import settings as calendar_settings
from frontdesk.ui.catalog import categories as catalogue_categories
from frontdesk.ui.catalog import items as catalogue_items
from frontdesk.ui.catalog import packages as catalogue_packages
from frontdesk.ui.catalog import pages as catalogue
from frontdesk.ui.catalog import price_labels as catalogue_labels
from frontdesk.ui.customers import account as customer_account
from frontdesk.ui.customers import annotations as customer_annotations
from frontdesk.ui.customers import birthdays as customer_birthdays
from frontdesk.ui.customers import counts as customer_counts
from frontdesk.ui.customers import edit as customer_edit
from frontdesk.ui.customers import merging as customer_merging
from frontdesk.ui.customers import pages as customers
from frontdesk.ui.customers import photos as customer_photos
from frontdesk.ui.day_close import day_close, drawer_settings, shift, slip
from frontdesk.ui.day_close import pages as drawer
from frontdesk.ui.developer import applications as developer_applications
from frontdesk.ui.developer import pages as developers
from frontdesk.ui.developer import pictures as application_pictures
from frontdesk.ui.exports import pages as exports
from frontdesk.ui.imports import pages as imports
from frontdesk.ui.live import pages as live
from frontdesk.ui.messages import message as notice
from frontdesk.ui.messages import pages as notices
from frontdesk.ui.operator import acts as operator_acts
from frontdesk.ui.operator import application_reviews
from frontdesk.ui.operator import health as operator_health
from frontdesk.ui.operator import messages as operator_messages
from frontdesk.ui.operator import tenants as operator_tenants
from frontdesk.ui.operator import users as operator_users
from frontdesk.ui.orders import bulk as order_bulk
from frontdesk.ui.orders import edit as order_edit
from frontdesk.ui.orders import list as order_list
from frontdesk.ui.orders import money as order_money
from frontdesk.ui.orders import move as order_move
from frontdesk.ui.orders import pages as orders
from frontdesk.ui.orders import trace as order_trace
from frontdesk.ui.orders import views as order_views
from frontdesk.ui.overview import mend
from frontdesk.ui.overview import pages as overview
from frontdesk.ui.reports import favorites as report_favorites
from frontdesk.ui.reports import pages as reports
from frontdesk.ui.reports import rates as commission_rates
from frontdesk.ui.search import pages as search
from frontdesk.ui.settings import (
    api_clients,
    api_keys,
    booking_page,
    branches,
    cancel_reasons,
    find,
    limits,
    members,
    poster,
    sandbox,
    webhooks,
)
from frontdesk.ui.setup import business as start_business
from frontdesk.ui.setup import look as start_look
from frontdesk.ui.setup import pages as setup
from frontdesk.ui.setup import place as start_place
from frontdesk.ui.setup import services as start_services
from frontdesk.ui.setup import team as start_team
from frontdesk.ui.shell import pictures, preferences
from frontdesk.ui.shell.routing import Dashboard
from frontdesk.ui.staff import block as staff_block
from frontdesk.ui.staff import edit as staff_edit
from frontdesk.ui.staff import exceptions as hour_exceptions
from frontdesk.ui.staff import hours as staff_hours
from frontdesk.ui.staff import leave as staff_leave
from frontdesk.ui.staff import pages as staff
from frontdesk.ui.staff import time_off
from frontdesk.ui.till import customer as till_customer
from frontdesk.ui.till import pages as till
from frontdesk.ui.till import payments as till_payments
from frontdesk.ui.till import pinned_items, receipt, returns, void
from frontdesk.ui.till import waiting as till_waiting


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
            api_keys,
            webhooks,
            sandbox,
        ),
        *(calendar, calendar_bookings, calendar_list, calendar_view, orders, order_money, activity),
        *(drawer, day_close, shift, slip, drawer_settings),
        *(live, order_list, order_views, order_bulk, order_move, order_edit, order_trace),
        *(till, till_customer, till_payments, till_waiting, pinned_items, returns, receipt, void),
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
        *(applications, installs, budgets, application_reports, consent, developers, developer_applications),
        *(application_pictures, application_reviews),
        *(public_booking, public_form, public_waiting, customer_booking, customer_bookings, customer_move, share_card),
        *(operator_health, operator_tenants, operator_users, operator_messages, operator_acts),
    )
    return Dashboard([module.pages for module in modules])
