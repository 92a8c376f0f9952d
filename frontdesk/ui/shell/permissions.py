"""Who may open a page. Each page declares its access where its handler is registered; routing enforces it."""

import msgspec

from frontdesk.auth.types import Role, UserSession


class Access(msgspec.Struct, frozen=True):
    signed_in: bool = True
    roles: frozenset[Role] | None = None  # in the current tenant; None: no tenant is required
    operator: bool = False
    recent: bool = False  # the user has proved who they are in the last minutes

    def allows(self, session: UserSession) -> bool:
        if self.operator:
            return session.user.is_operator
        return self.roles is None or (session.current_tenant is not None and session.current_tenant.role in self.roles)


PUBLIC = Access(signed_in=False)
SIGNED_IN = Access()
SIGNED_IN_RECENTLY = Access(recent=True)  # security settings
ANY_ROLE = Access(roles=frozenset(Role))
MANAGERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER}))
RECEPTION = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST}))
CASHIERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST, Role.CASHIER}))
# Those who book, and providers, who see their own diary and card only.
DIARY_READERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST, Role.PROVIDER}))
# A provider requests time off for themselves only.
TIME_OFF_REQUESTERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.PROVIDER}))
OWNERS = Access(roles=frozenset({Role.OWNER}))
OPERATORS = Access(operator=True)
