"""Items one at a time: each kind of item has an address, and the rest of the item is the body.

What anybody may do by themselves is done at once, and answered as the item would be; a step that a named person takes
is answered with the batch that waits for them. What an item is, and does, is `actions.bulk`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import reverse
from rest_framework import serializers as of

from submissions.actions.bulk import single
from submissions.actions.bulk.shapes import VERBS
from submissions.api import bodies, submissions
from submissions.api.batches import BatchShape, ChangeShape, accepted
from submissions.api.items import schema_of
from submissions.api.reading import Shape
from submissions.api.writing import Writing, Written
from submissions.errors import Refusal

BEGINS = ("create", "amend")  # they make a submission
GIVEN = ("action", "submission")  # they stand in the address


class DoneShape(Shape):
    made = of.DictField(help_text="What it came to: the names and versions that the next call needs")
    changes = ChangeShape(many=True, help_text="The lines that were changed")


class Step(Writing):
    """The address of a kind of item; `verb` says which."""

    verb: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """What the tables say of the kind."""
        super().__init_subclass__()
        if verb := vars(cls).get("verb"):
            kind = VERBS[verb]
            cls.operation = f"do{verb.title().replace('-', '')}"
            cls.says = f"{kind.label}. {kind.help}"
            cls.writes = (kind.scope,)
            cls.taken = {bodies.JSON: schema_of(verb, alone=True)}
            if verb in BEGINS:
                cls.statuses = {201: "The submission is made"}

    def read(self, body: bytes) -> dict[str, Any]:
        """The item that address and body make together."""
        sent = bodies.read(body) if body else {}
        if not isinstance(sent, Mapping):
            raise Refusal("body-shape", "The body is no object.", fix="Send the item's fields: {…}.")
        if named := next((name for name in GIVEN if name in sent), ""):
            raise Refusal(
                "unknown-field", f"“{named}” stands in the address.", fix="Leave it out of the body.", option=named
            )
        address = {"submission": self.kwargs["number"]} if "number" in self.kwargs else {}
        return {"action": self.verb, **address, **sent}


class AtOnce(Step):
    """Done at once."""

    told_as = DoneShape
    statuses = {200: "It is done"}

    def write(self, sent: dict[str, Any]) -> Written:
        done = single.at_once(self.credential, sent)
        if self.verb not in BEGINS:
            return Written(done)
        return Written(done, 201, reverse("api:submission", args=[done.made["submission"]]))


class ForSignature(Step):
    """Checked, and then confirmed by a named person."""

    told_as = BatchShape
    statuses = {202: "It is a batch of one: checked, and then confirmed by a named person"}

    def write(self, sent: dict[str, Any]) -> Written:
        return accepted(self, single.for_signature(self.credential, sent))


class Submissions(AtOnce, submissions.Submissions):
    """The submissions that one may read, narrowed as on the search page."""

    verb = "create"


# Kind of item → its address below that of the submission.
DOORS: dict[str, type[Step]] = {
    verb: type(f"Do{verb.title().replace('-', '')}", (ForSignature if kind.signed else AtOnce,), {"verb": verb})
    for verb, kind in VERBS.items()
    if "submission" in kind.needs
}
