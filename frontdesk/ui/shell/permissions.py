"""Who a page is for. It stands on the line of the page's handler; the guard and the tests read it from there."""

import msgspec

from frontdesk.auth.types import Role, UserSession


class Access(msgspec.Struct, frozen=True):
    signed_in: bool = True
    roles: frozenset[Role] | None = None  # in the business they work for; None: no business is needed
    operator: bool = False

    def admits(self, signed_in: UserSession) -> bool:
        """Somebody who is signed in; whether a page needs a business at all is asked before."""
        if self.operator:
            return signed_in.person.is_operator
        return self.roles is None or (signed_in.desk is not None and signed_in.desk.role in self.roles)


EVERYBODY = Access(signed_in=False)
SIGNED_IN = Access()
MEMBERS = Access(roles=frozenset(Role))
OFFICE = Access(roles=frozenset({Role.OWNER, Role.MANAGER}))
COUNTER = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.CASHIER}))
OWNERS = Access(roles=frozenset({Role.OWNER}))
OPERATORS = Access(operator=True)
