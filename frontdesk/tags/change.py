"""Creating and deleting tags."""

from uuid import UUID

from frontdesk.postgres.write import UNIQUE, Call, Document, Lock, Look
from frontdesk.problems import Problem
from frontdesk.tags.problems import TagProblem
from frontdesk.tags.queries import tag_exists
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key


def plan_tag(model: str, name: str) -> Call:
    """A name exists once per model; upper and lower case are the same."""
    tag_id = uuid7()
    argument = {"id": tag_id, "model": model, "name": name, "name_folded": search_key(name)}
    return Call("create_tag", argument, Document("tag_document", tag_id), errors={UNIQUE: _already_exists})


def _already_exists() -> Problem:
    return Problem(TagProblem.EXISTS)


def look_at_tag(tag_id: UUID) -> Look[UUID]:
    return Look(tag_exists(tag_id), Lock("SELECT FROM tags WHERE tenant_id = $1 AND id = $2 FOR UPDATE", (tag_id,)))


def plan_deletion(tag_id: UUID) -> Call:
    """Its customers lose it, and an event is emitted for each of them."""
    return Call("delete_tag", {"id": tag_id})
