"""Who may open a page. Each page declares its access where its handler is registered; routing enforces it."""

import msgspec

from frontdesk.auth.types import Role, UserSession


class Access(msgspec.Struct, frozen=True):
    signed_in: bool = True
    roles: frozenset[Role] | None = None  # in the current tenant; None: no tenant is required
    operator: bool = False
    recent: bool = False  # the user has proved who they are in the last minutes
    in_sandbox: bool = False  # the current tenant is one

    def allows(self, session: UserSession) -> bool:
        if self.operator:
            return session.user.is_operator
        current = session.current_tenant
        if self.in_sandbox and (current is None or not current.is_sandbox):
            return False
        return self.roles is None or (current is not None and current.role in self.roles)


PUBLIC = Access(signed_in=False)
SIGNED_IN = Access()
SIGNED_IN_RECENTLY = Access(recent=True)  # security settings
ANY_ROLE = Access(roles=frozenset(Role))
MANAGERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER}))
SANDBOX_MANAGERS = Access(roles=MANAGERS.roles, in_sandbox=True)
RECEPTION = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST}))
CASHIERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST, Role.CASHIER}))
# Those who book, and providers, who see their own diary and card only.
DIARY_READERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.RECEPTIONIST, Role.PROVIDER}))
# A provider requests time off for themselves only.
TIME_OFF_REQUESTERS = Access(roles=frozenset({Role.OWNER, Role.MANAGER, Role.PROVIDER}))
OWNERS = Access(roles=frozenset({Role.OWNER}))
OPERATORS = Access(operator=True)
