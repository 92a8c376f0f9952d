"""The body of a customer with every field."""

from typing import Any
from uuid import uuid4

from tests.contract.api import Api
from tests.support.set_up_requests import own_fields


async def customer_body(_api: Api) -> dict[str, Any]:
    return {
        "first_name": "Rana",
        "last_name": "Saad",
        "email": "rana@example.com",
        "phone": f"+96656{str(uuid4().int)[:7]}",
        "phone_country": "SA",
        "type": "company",
        "city": "Abha",
        "address": "Airport Road 7",
        "note": "Rings the bell twice",
        "tax_registration_number": "310122393500003",
        **own_fields(),
    }
