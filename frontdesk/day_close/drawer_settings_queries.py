from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded, document, json_bytes


class BranchDrawers(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    drawers: int


class DrawerSettings(msgspec.Struct, frozen=True):
    own_shifts: bool
    blind_count: bool
    branches: list[BranchDrawers]


def get_drawer_settings() -> Query[DrawerSettings]:
    sql = """
        SELECT json_build_object('own_shifts', n.own_shifts, 'blind_count', n.blind_count,
            'branches', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name,
                'drawers', b.drawer_count) ORDER BY b.status DESC, b.name, b.id), '[]')
                FROM branches b WHERE b.tenant_id = $1))::text AS document
        FROM tenants n WHERE n.id = $1"""
    return Query(sql, (), decoded(DrawerSettings))


def published_drawer_settings() -> Query[bytes]:
    return Query(f"SELECT {json_bytes('drawer_settings_document($1, $1)')} AS document", (), document("business"))
