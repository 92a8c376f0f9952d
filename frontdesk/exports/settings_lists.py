"""Lists of the settings: branches, payment methods, cashiers, tax classes, and who has access."""

from frontdesk.exports.list_types import NAME, ExportedList, ListName

SETTINGS_LISTS = {
    ListName.BRANCHES: ExportedList(
        ("name", "phone", "address", "location", "staff", "active"),
        """
        SELECT o.id, o.name, o.phone, o.address, o.location, (
                   SELECT count(*) FROM staff s WHERE s.tenant_id = $1 AND s.branch_id = o.id AND s.active), o.status
        FROM {rows} o ORDER BY o.id
        """,
        "branches",
    ),
    ListName.PAYMENT_METHODS: ExportedList(
        ("name_en", "name_ar", "type", "application", "active"),
        """
        SELECT o.id, o.name ->> 'en', o.name ->> 'ar', o.type, p.name, o.active
        FROM {rows} o LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = o.install_id
        LEFT JOIN applications p ON p.id = i.application_id ORDER BY o.id
        """,
        "payment_methods",
    ),
    ListName.CASHIERS: ExportedList(
        ("name", "code", "branch", "active"),
        """
        SELECT o.id, o.name, o.code, b.name, o.active
        FROM {rows} o JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id ORDER BY o.id
        """,
        "cashiers",
    ),
    ListName.TAX_CLASSES: ExportedList(
        ("name", "default", "rates"),
        f"""
        SELECT o.id, {NAME.format("o.name")}, o.is_default, (
                   SELECT string_agg(r.starts_on || ': ' || r.rate || ' %', '; ' ORDER BY r.starts_on)
                   FROM tax_rates r WHERE r.tenant_id = $1 AND r.class_id = o.id)
        FROM {{rows}} o JOIN tenants t ON t.id = $1 ORDER BY o.id
        """,
        "tax_classes",
    ),
    ListName.MEMBERS: ExportedList(
        ("name", "email", "role", "staff_member", "member_since", "last_seen_at"),
        """
        SELECT o.user_id, u.name, u.email, o.role, s.name, o.created_at, last_seen_at(o.user_id)
        FROM {rows} o JOIN users u ON u.id = o.user_id
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = o.staff_id ORDER BY o.user_id
        """,
        "memberships",
        "user_id",
    ),
    ListName.INVITATIONS: ExportedList(
        ("email", "role", "created_at", "expires_at"),
        "SELECT o.id, o.email, o.role, o.created_at, o.expires_at FROM {rows} o ORDER BY o.id",
        "invitations",
        only=" AND a.accepted_at IS NULL AND a.withdrawn_at IS NULL",
    ),
}
