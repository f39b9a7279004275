"""Items one at a time: each kind of item has an address, and the rest of the item is the body.

What a program may do by itself is done at once, and answered as the item would be; a step that a named person takes
is answered with the batch that waits for them. What an item is, and does, is `bulk`.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import reverse

from submissions.api.bulk.batch_serializers import MADE, MADE_HELP, BatchSerializer, ChangeSerializer, accepted
from submissions.api.bulk.item_json_schema import schema_of
from submissions.api.filings import submissions
from submissions.api.framework import bodies
from submissions.api.framework.plain_fields import plain
from submissions.api.framework.read_views import ReadSerializer
from submissions.api.framework.write_views import WriteResult, WriteView
from submissions.bulk import api_actions
from submissions.bulk.item_schema import ITEM_VERBS
from submissions.core.errors import Refusal

CREATING_VERBS = ("create", "amend", "copy")  # they make a submission
ADDRESS_FIELDS = ("action", "submission")  # the address names them


class DoneSerializer(ReadSerializer):
    made = plain({"type": "object", "properties": MADE, "required": ["submission", "version"]}, help_text=MADE_HELP)
    changes = ChangeSerializer(many=True, help_text="The lines that were changed")


class ItemActionView(WriteView):
    """The address of a kind of item; `verb` says which."""

    verb: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """What the tables say of the kind."""
        super().__init_subclass__()
        if verb := vars(cls).get("verb"):
            kind = ITEM_VERBS[verb]
            cls.operation = f"do{verb.title().replace('-', '')}"
            cls.write_summary = f"{kind.label}. {kind.help}"
            cls.write_scopes = (kind.scope,)
            cls.request_schema = {bodies.JSON: schema_of(verb, alone=True)}
            if verb in CREATING_VERBS:
                cls.statuses = {201: "The submission was created"}

    def read(self, body: bytes) -> dict[str, Any]:
        """The item that address and body make together."""
        sent = bodies.parse_json(body) if body else {}
        if not isinstance(sent, Mapping):
            raise Refusal("body-shape/not-an-object")
        if named := next((name for name in ADDRESS_FIELDS if name in sent), ""):
            raise Refusal("unknown-field/in-address", option=named, named=named)
        address = {"submission": self.kwargs["number"]} if "number" in self.kwargs else {}
        return {"action": self.verb, **address, **sent}


class ImmediateActionView(ItemActionView):
    """Done at once."""

    result_serializer = DoneSerializer
    statuses = {200: "It is done"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        done = api_actions.apply_single_item(self.credential, sent)
        if self.verb not in CREATING_VERBS:
            return WriteResult(done)
        return WriteResult(done, 201, reverse("api:submission", args=[done.made["submission"]]))


class SignedActionView(ItemActionView):
    """Checked, and then confirmed by a named person."""

    result_serializer = BatchSerializer
    statuses = {202: "It is now a batch of one item. It is checked, then a named person confirms it"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        return accepted(self, api_actions.send_for_signature(self.credential, sent))


class SubmissionsView(ImmediateActionView, submissions.SubmissionSearchView):
    """The submissions that one may read, narrowed as on the search page."""

    verb = "create"


# Kind of item → its address below that of the submission.
ACTION_VIEWS: dict[str, type[ItemActionView]] = {
    verb: type(
        f"Do{verb.title().replace('-', '')}",
        (SignedActionView if kind.signed else ImmediateActionView,),
        {"verb": verb},
    )
    for verb, kind in ITEM_VERBS.items()
    if "submission" in kind.needs
}
