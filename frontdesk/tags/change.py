"""Creating and deleting tags."""

from uuid import UUID

from frontdesk.postgres.act import Act, ActWithoutLoad, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import UNIQUE
from frontdesk.problems import Problem
from frontdesk.tags.problems import TagProblem
from frontdesk.tags.queries import tag_exists
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key


class CreateTag(ActWithoutLoad, frozen=True):
    """A name exists once per model; upper and lower case are the same."""

    model: str
    name: str

    def decide(self, context: Context[None]) -> FunctionCall:
        tag_id = uuid7()
        argument = {"id": tag_id, "model": self.model, "name": self.name, "name_folded": search_key(self.name)}
        document = ResponseDocument("tag_document", tag_id)
        return FunctionCall("create_tag", argument, document, errors={UNIQUE: _already_exists})


class DeleteTag(Act[UUID], frozen=True):
    """Its customers lose it, and an event is emitted for each of them."""

    tag_id: UUID

    def load(self) -> Query[UUID]:
        return tag_exists(self.tag_id).locking(lock_row("tags", self.tag_id, "UPDATE"))

    def decide(self, context: Context[UUID]) -> FunctionCall:
        return FunctionCall("delete_tag", {"id": context.loaded})


def _already_exists() -> Problem:
    return Problem(TagProblem.EXISTS)
