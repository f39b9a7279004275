"""The forms of the portal, each with an empty or wrong entry by someone who may send it, for `test_every_form`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.urls import reverse

from submissions.accounts import invitations
from submissions.filings import drafts, filing, handover
from submissions.filings.review import comments, decisions
from submissions.models import LayoutStatus, Person, Remark, Submission
from submissions.notifications import webhooks
from submissions.rulemakings import drafting
from tests.submissions.api.clients import made
from tests.submissions.approved import Cast
from tests.submissions.bulk.batches import send
from tests.submissions.bulk.batches import work as work_on
from tests.submissions.filing_rows import filing as filed_row
from tests.submissions.layout_rows import layout_row
from tests.submissions.orders.orders import waiver
from tests.submissions.web.clients import complete
from tests.submissions.workbench.steps import CELL, first_day, head, tried, written

INVITED = {"email": "new@east.example.test", "name": "New Person", "role": "preparer", "administrator": False}


@dataclass
class Desk:
    """Who is there, and what a case needs of them, made when it is asked for."""

    people: dict[str, Person]
    entered: dict[str, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Person:
        return self.people[name]

    def draft(self) -> Submission:
        return drafts.start_submission(self.manager, "686a")

    def filed(self) -> Submission:
        submission = complete(self.manager)
        filing.file_submission(self.manager, submission, version=submission.version, attested=True)
        submission.refresh_from_db()
        return submission

    def administrator(self, name: str = "manager") -> Person:
        Person.objects.filter(pk=self.people[name].pk).update(administrator=True)
        return Person.objects.get(pk=self.people[name].pk)

    def layout(self):
        return layout_row(filed_row(self.manager, "682a"), status=LayoutStatus.DRAFT)

    def rulemaking(self):
        return drafting.start_rulemaking(self.analyst, title="Trips Bonus Wager", source="57 Pa.B. 1001")

    def tried(self):
        """A rulemaking with its trial."""
        row = written(self.analyst, head() + CELL)
        tried(self.analyst, row)
        return row

    def approved(self) -> Submission:
        """A submission with its version."""
        cast = Cast(self.manager, self.analyst, self.director, computes=False)
        return cast.version("686a").submission

    def question(self) -> tuple[Submission, Remark]:
        """A filing that was returned with a question."""
        submission = self.filed()
        fields = {"revision": 1, "configuration": 0, "option": "bonus_wager", "text": "Why?", "audience": "licensee"}
        remark = comments.write_comment(self.analyst, submission, **fields)
        decisions.return_to_licensee(self.analyst, submission, version=submission.version, reason="See the question.")
        submission.refresh_from_db()
        return submission, remark


@dataclass(frozen=True)
class Case:
    """An address with what is sent to it, by whom; `fields`: the ids that the summary must lead to, in this order."""

    name: str
    sent: Callable[[Desk], tuple[Person | None, str, dict[str, object]]]
    fields: tuple[str, ...]
    entered: str = ""  # text that was sent and must be in the page

    def __str__(self) -> str:
        return self.name


def _of(name: str, *arguments: object, query: str = "") -> str:
    return reverse(name, args=arguments) + query


def _layout(name: str, **sent: object) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    def of(desk: Desk) -> tuple[Person, str, dict[str, object]]:
        row = desk.layout()
        versions = {"version": row.version, "drawing": row.drawings.first().pk}
        return desk.manager, _of(name, row.number), versions | sent

    return of


def _decided(step: str, who: str, **sent: object) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    def of(desk: Desk) -> tuple[Person, str, dict[str, object]]:
        row = desk.filed()
        return desk.people[who], _of("decide", row.number, step), {"version": row.version} | sent

    return of


def _webhook(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    person = desk.administrator()
    created = webhooks.create_webhook(person, url="https://hooks.example.com/rsp", verbs=[], live=False, form_token="")
    return person, _of("webhook-action", created.webhook.pk, "end"), {}


def _rotation(action: str) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    def of(desk: Desk) -> tuple[Person, str, dict[str, object]]:
        person = desk.administrator()
        row = made(person.organization).credential
        return person, _of("credential-action", row.pk, action), {"networks": ""}

    return of


def _answer(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    submission, remark = desk.question()
    return desk.manager, _of("remark-follow", submission.number, remark.pk), {"do": "answered", "text": ""}


def _record(name: str, **entered: str) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    chosen = {"chapter": "687a", "effective": first_day().isoformat(), "kind": "paytable", "name": name}
    return lambda desk: (desk.analyst, _of("rulemaking-form", desk.rulemaking().number), chosen | entered)


def _checklist(button: str, *key: str) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    entered = {"answer-verbal_wagers": "yes", "answer-reshuffling_device_approval": "No. 4\x07"}
    return lambda desk: (desk.manager, _of(button, desk.draft().number, *key), entered)


def _question(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    submission, remark = desk.question()
    return desk.manager, _of("answer-question", submission.number, remark.pk), {"kind": "answered"}


def _handed(name: str, note: str) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    def of(desk: Desk) -> tuple[Person, str, dict[str, object]]:
        row = complete(desk.preparer)
        return desk.preparer, _of(name, row.number), {"version": row.version, "note": note}

    return of


def _sent_back(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    row = complete(desk.preparer)
    handover.send_to_manager(desk.preparer, row, version=row.version)
    row.refresh_from_db()
    return desk.manager, _of("send-back", row.number), {"version": row.version, "note": ""}


def _layout_decision(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    row = layout_row(filed_row(desk.manager, "682a"))
    return (
        desk.director,
        _of("layout-decide", row.number, "reject"),
        {"version": row.version, "reason": "Not this one."},
    )


def _confirmed_batch(desk: Desk) -> tuple[Person, str, dict[str, object]]:
    row = complete(desk.manager)
    item = {"action": "file", "submission": row.number, "version": row.version}
    batch = work_on(send(desk.manager, item, needs_confirmation=True))
    return desk.manager, _of("batch-confirm", batch.number), {}


def _order(name: str, **sent: object) -> Callable[[Desk], tuple[Person, str, dict[str, object]]]:
    return lambda desk: (desk.director, _of(name, waiver(desk.director).number), sent)


CASES = (
    Case(
        "people",
        lambda desk: (desk.administrator(), _of("people"), {"email": "no address", "role": "preparer"}),
        ("confirm", "id_email", "id_name"),
        "no address",
    ),
    Case(
        "person",
        lambda desk: (desk.administrator(), _of("person", desk.preparer.pk), {"role": "none"}),
        ("confirm", "id_role"),
    ),
    Case(
        "person-action",
        lambda desk: (desk.administrator(), _of("person-action", desk.preparer.pk, "deactivate"), {}),
        ("confirm",),
    ),
    Case(
        "stand-ins",
        lambda desk: (desk.manager, _of("stand-ins"), {"first_day": "soon", "reason": "Vacation"}),
        ("confirm", "id_person", "id_first_day", "id_last_day"),
        "Vacation",
    ),
    Case(
        "credentials",
        lambda desk: (
            desk.administrator(),
            _of("credentials"),
            {"name": "", "expires": "never", "networks": "nowhere", "mark": "a" * 32},
        ),
        ("confirm", "id_name", "id_scopes_0", "id_expires", "id_networks"),
        "nowhere",
    ),
    Case(
        "webhooks",
        lambda desk: (desk.administrator(), _of("webhooks"), {"url": "ftp://x", "mark": "a" * 32}),
        ("confirm", "id_url"),
        "ftp://x",
    ),
    Case("webhook-action", _webhook, ("confirm",)),
    Case("credential-action", _rotation("rotate"), ("confirm", "id_expires", "id_overlap")),
    Case("credential-action", _rotation("revoke"), ("confirm",)),
    Case("notices", lambda desk: (desk.manager, _of("notices"), {"mails": "hourly"}), ("mails-each",)),
    Case(
        "order-new",
        lambda desk: (desk.director, _of("order-new"), {"kind": "waiver", "last_day": "x", "tables": "3, 5-8"}),
        ("confirm", "id_citation", "id_text", "id_first_day", "id_last_day"),
        "3, 5-8",
    ),
    Case(
        "order-replace",
        _order("order-replace", text="No rack."),
        ("confirm", "id_kind", "id_citation", "id_first_day"),
        "No rack.",
    ),
    Case("order-end", _order("order-end", from_day="tomorrow"), ("confirm", "id_from_day", "id_reason"), "tomorrow"),
    Case(
        "chapter-decision",
        lambda desk: (desk.director, _of("chapter-decision", "581"), {"docket": "12-2026", "last_day": "x"}),
        ("confirm", "id_chapter_effect", "id_last_day", "id_citation", "id_text"),
        "12-2026",
    ),
    Case(
        "table-change",
        lambda desk: (desk.manager, _of("table-change"), {"pit": "Pit 4"}),
        ("id_number", "id_chapter", "id_state", "id_from_day"),
        "Pit 4",
    ),
    Case("tables-upload", lambda desk: (desk.manager, _of("tables-upload"), {}), ("id_sheet", "id_from_day")),
    Case("bulk", lambda desk: (desk.manager, _of("bulk"), {"mode": "live"}), ("id_sheet",)),
    Case("batch-confirm", _confirmed_batch, ("confirm", "attested")),
    Case(
        "groups",
        lambda desk: (desk.manager, _of("groups", desk.draft().number), {"name": "", "pit": "Pit 4"}),
        ("id_name",),
        "Pit 4",
    ),
    Case(
        "planned-day",
        lambda desk: (desk.manager, _of("planned-day", desk.draft().number), {"takes_effect": "next spring"}),
        ("takes-effect",),
        "next spring",
    ),
    Case("checklist", _checklist("checklist"), ("line-reshuffling_device_approval",)),
    Case("save-and-review", _checklist("save-and-review"), ("line-reshuffling_device_approval",)),
    Case(
        "line-comment",
        _checklist("line-comment", "bonus_wager"),
        ("line-reshuffling_device_approval", "line-bonus_wager"),
    ),
    Case("answer-question", _question, ("line-bonus_wager",)),
    Case(
        "file",
        lambda desk: (desk.manager, _of("file", (row := complete(desk.manager)).number), {"version": row.version}),
        ("confirm", "attested"),
    ),
    Case("send-to-manager", _handed("send-to-manager", "x" * 2001), ("note",), "x" * 2001),
    Case("send-back", _sent_back, ("note",)),
    Case(
        "invitation",
        lambda desk: (
            (chief := desk.administrator()),
            _of("invitation", invitations.invite(chief, **INVITED).invitation.pk, "again"),
            {},
        ),
        ("confirm",),
    ),
    Case("layout-decide", _layout_decision, ("confirm",), "Not this one."),
    Case("layout-file", _layout("layout-file", note="New felt."), ("confirm",), "New felt."),
    Case("start-from", lambda desk: (desk.filed() and desk.manager, _of("start-from", "686a"), {}), (r"source-\d+",)),
    Case("decide", _decided("reject", "director"), ("confirm", "reason")),
    Case("decide", _decided("withdraw", "manager"), ("reason",)),
    Case(
        "remark",
        lambda desk: (
            desk.analyst,
            _of("remark", desk.filed().number),
            {"revision": 1, "configuration": 0, "option": "bonus_wager", "audience": "licensee", "text": " "},
        ),
        ("line-c0-bonus_wager-text",),
    ),
    Case("remark-follow", _answer, (r"remark-\d+-text",)),
    Case("assign", lambda desk: (desk.analyst, _of("assign", desk.filed().number), {"person": "0"}), ("assignee",)),
    Case(
        "discontinue",
        lambda desk: (desk.manager, _of("discontinue", desk.approved().number), {"from_day": "soon", "reason": ""}),
        ("confirm", "id_from_day", "id_reason"),
        "soon",
    ),
    Case(
        "layout-start",
        lambda desk: (desk.manager, _of("layout-start", desk.filed().number, 0), {}),
        ("id_part_0",),
    ),
    Case(
        "layout-start",
        lambda desk: (desk.manager, _of("layout-start", desk.filed().number, 0), {"part": "sign", "rules_on": "soon"}),
        ("id_rules_on",),
        "soon",
    ),
    Case("layout-upload", _layout("layout-upload"), ("drawing-file",)),
    Case("layout-positions", _layout("layout-positions", positions="many"), ("positions",)),
    Case("layout-mark", _layout("layout-mark", element="rack", page="1", left="far"), ("element",), "far"),
    Case("layout-withdraw", _layout("layout-withdraw"), ("withdraw-reason",)),
    Case(
        "rulemaking-start",
        lambda desk: (desk.analyst, _of("rulemaking-start"), {"title": "", "source": " "}),
        ("id_title", "id_source"),
    ),
    Case(
        "rulemaking-withdraw",
        lambda desk: (desk.analyst, _of("rulemaking-withdraw", desk.rulemaking().number), {"version": 1}),
        ("reason",),
    ),
    Case(
        "rulemaking-change",
        lambda desk: (
            desk.analyst,
            _of("rulemaking-change", desk.rulemaking().number),
            {"version": 1, "text": "number = seven"},
        ),
        ("text",),
        "number = seven",
    ),
    Case(
        "rulemaking-form",
        lambda desk: (
            desk.analyst,
            _of("rulemaking-form", desk.rulemaking().number),
            {"chapter": "687a", "effective": "soon", "kind": "paytable", "name": "trips/DJWT-05"},
        ),
        ("id_effective",),
        "soon",
    ),
    Case("rulemaking-form", _record("trips/DJWT-05", **{"field-0": "5 too 1"}), ("id_field-0",), "5 too 1"),
    Case("rulemaking-form", _record("trips/DJWT-99"), ("id_name",)),
    Case("rulemaking-form", _record(""), ("id_name",)),
    Case("rulemaking-form", _record("+", body="key ="), ("id_body",), "key ="),
    Case(
        "rulemaking-publish",
        lambda desk: (desk.director, _of("rulemaking-publish", desk.tried().number), {"version": 2}),
        ("confirm", "confirmed"),
    ),
    Case(
        "save-view",
        lambda desk: (desk.analyst, _of("save-view"), {"query": "chapter=686a", "name": ""}),
        ("view-name",),
    ),
    Case(
        "keep-filter",
        lambda desk: (desk.manager, _of("keep-filter"), {"query": "chapter=686a", "name": ""}),
        ("name",),
    ),
)
