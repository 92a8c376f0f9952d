"""Statements for the pages of branches."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.attention.rules import BRANCH_WITHOUT_CONTACT
from frontdesk.postgres.query import Query, found_decoded
from frontdesk.problems import not_found
from frontdesk.tenants.branch_types import BranchInUse, StoredBranch

# `b` is the row of branches.
_BRANCH = """json_build_object('id', b.id, 'name', b.name, 'names', b.names, 'slug', b.slug,
        'phone', b.phone, 'phone_country', b.phone_country, 'address', b.address, 'latitude', b.latitude,
        'longitude', b.longitude, 'location', b.location, 'status', b.status, 'version', b.version)"""
_IN_USE = f"""json_build_object('branch', {_BRANCH},
        'staff', (SELECT count(*) FROM staff s WHERE s.tenant_id = $1 AND s.branch_id = b.id AND s.active),
        'services', (SELECT count(*) FROM items i
            WHERE i.tenant_id = $1 AND i.branch_id = b.id AND i.type = 'service' AND i.status),
        'products', (SELECT count(*) FROM items i
            WHERE i.tenant_id = $1 AND i.branch_id = b.id AND i.type = 'product' AND i.status),
        'upcoming_bookings', (SELECT count(*) FROM staff s JOIN bookings k ON k.tenant_id = $1 AND k.staff_id = s.id
            WHERE s.tenant_id = $1 AND s.branch_id = b.id AND k.is_active AND lower(k.during) > now()),
        'is_last', b.status AND NOT EXISTS (
            SELECT FROM branches other WHERE other.tenant_id = $1 AND other.status AND other.id <> b.id),
        'lacks_contact', {BRANCH_WITHOUT_CONTACT})"""
_BRANCHES = msgspec.json.Decoder(list[BranchInUse])


class BranchToSave(msgspec.Struct, frozen=True):
    """What a change of a branch depends on."""

    branch: StoredBranch | None  # None for a new one
    slug_owner: str | None  # the other branch that has the requested slug
    names: list[str]  # of the other branches
    is_last: bool  # no other one is active


def list_branches_in_use() -> Query[list[BranchInUse]]:
    """Active ones first, then by name."""
    return Query(
        f"""
        SELECT coalesce(json_agg({_IN_USE} ORDER BY b.status DESC, b.name, b.id), '[]')::text AS branches
        FROM branches b WHERE b.tenant_id = $1
        """,
        (),
        lambda row: [] if row is None else _BRANCHES.decode(row["branches"]),
    )


def get_branch_in_use(branch_id: UUID) -> Query[BranchInUse]:
    sql = f"SELECT ({_IN_USE})::text AS document FROM branches b WHERE b.tenant_id = $1 AND b.id = $2"
    return Query(sql, (branch_id,), found_decoded("branch", BranchInUse))


def branch_to_save(branch_id: UUID | None, slug: str) -> Query[BranchToSave]:
    def result(row: Record | None) -> BranchToSave:
        if row is None or (branch_id is not None and row["branch"] is None):
            raise not_found("branch")
        branch = None if row["branch"] is None else msgspec.json.decode(row["branch"], type=StoredBranch)
        return BranchToSave(branch, row["slug_owner"], row["names"], row["is_last"])

    return Query(
        f"""
        SELECT (SELECT ({_BRANCH})::text FROM branches b WHERE b.tenant_id = $1 AND b.id = $2::uuid) AS branch,
               (SELECT b.name FROM branches b
                WHERE b.tenant_id = $1 AND b.slug = $3::text AND b.id IS DISTINCT FROM $2) AS slug_owner,
               ARRAY(SELECT b.name FROM branches b WHERE b.tenant_id = $1 AND b.id IS DISTINCT FROM $2) AS names,
               NOT EXISTS (SELECT FROM branches b
                WHERE b.tenant_id = $1 AND b.status AND b.id IS DISTINCT FROM $2) AS is_last
        """,
        (branch_id, slug),
        result,
    )
