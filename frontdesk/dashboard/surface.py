"""All pages of the dashboard, one file a noun. A new file is named here, and its places in places.py."""

from frontdesk.dashboard import (
    account,
    api_clients,
    api_keys,
    application_pictures,
    application_reviews,
    applications,
    developer_applications,
    developers,
    email_proof,
    installs,
    invitation,
    limits,
    members,
    operator_health,
    operator_people,
    operator_tenants,
    order_money,
    orders,
    overview,
    preferences,
    sign_in,
    webhooks,
)
from frontdesk.dashboard.pages import Dashboard


def dashboard() -> Dashboard:
    files = (
        *(
            sign_in,
            preferences,
            invitation,
            overview,
            account,
            email_proof,
            limits,
            members,
            api_clients,
            api_keys,
            webhooks,
        ),
        *(orders, order_money),
        *(applications, installs, developers, developer_applications, application_pictures, application_reviews),
        *(operator_health, operator_tenants, operator_people),
    )
    return Dashboard([file.pages for file in files])
