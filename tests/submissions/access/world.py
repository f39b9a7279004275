"""One portal with rows of every kind in every status, for all proofs of who sees what. The casinos: East and West."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import AnonymousUser
from django.test import override_settings
from django.utils import timezone

from submissions.accounts import api_credentials, invitations, stand_ins
from submissions.audit.record import record_event
from submissions.filings import attachments, drafts, filing, handover, questions, table_groups
from submissions.filings.evidence.simulations import start_simulations
from submissions.filings.review import comments, decisions
from submissions.jobs.export_files import ExportRequest, request_export
from submissions.layouts import layout_filings
from submissions.models import (
    Batch,
    Document,
    Event,
    Invitation,
    LayoutFiling,
    Notice,
    Order,
    Organization,
    Paper,
    Person,
    Reply,
    Revision,
    Role,
    Rulemaking,
    SavedFilter,
    Status,
    StoredFile,
    Submission,
)
from submissions.notifications import webhooks
from submissions.permissions.visible import Visitor
from submissions.public.exports import KIND
from submissions.public.pages import CSV
from tests import cast
from tests.submissions import files, filing_rows
from tests.submissions.access import readers
from tests.submissions.api.clients import made
from tests.submissions.bulk.batches import send
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import drawing_row, layout_row
from tests.submissions.orders.orders import waiver
from tests.submissions.security_log.rows import fail, sign_in
from tests.submissions.table_list.lists import enter
from tests.submissions.workbench.steps import head, written

DAY = date(2026, 3, 1)
STATUSES = {  # of filings that are only rows → their chapter
    Status.FILED: "682a", Status.RECOMMENDED: "683a", Status.REJECTED: "678a", Status.WITHDRAWN: "677a",
}  # fmt: skip


@dataclass(slots=True)
class World:
    """Names of rows by their numbers and keys; `arguments`: what stands for the parts of an address."""

    people: dict[str, Visitor]  # by the names in `readers`
    tokens: dict[str, str]
    submissions: dict[str, str] = field(default_factory=dict)  # number → name, such as "east draft"
    layouts: dict[str, str] = field(default_factory=dict)  # number → name
    events: dict[int, str] = field(default_factory=dict)  # key → name
    arguments: dict[str, object] = field(default_factory=dict)

    def number(self, name: str) -> str:
        return next(number for number, given in self.submissions.items() if given == name)

    def version(self, number: str) -> int:
        """The version of the submission, layout or rulemaking with this number; 1 if there is none."""
        models = (Submission, LayoutFiling, Rulemaking)
        return next((row.version for model in models for row in model.objects.filter(number=number)), 1)

    def sandbox_words(self) -> list[str]:
        """Return the words that are in the sandbox only."""
        numbers = [number for number, name in {**self.submissions, **self.layouts}.items() if "sandbox" in name]
        return [*numbers, str(self.arguments["sandbox_batch"])]

    def name(self, submission: Submission, name: str) -> Submission:
        self.submissions[submission.number] = name
        return submission


@override_settings(SECOND_FACTOR=False)
def build() -> World:
    """Rows with numbers of their own come first: the actions take the next ones."""
    people = readers.people()
    world = World({"visitor": AnonymousUser(), **people, **readers.gone()}, readers.tokens())
    for name, token in world.tokens.items():
        world.people[name] = Person.objects.get(credentials__prefix=token.split("_")[2])
    for organization in (cast.casino(), cast.other_casino(), api_credentials.sandbox_of(cast.casino())):
        _rows_of(world, organization)
    _approved(world, people["manager"])
    _worked_on(world, people)
    _layouts(world, people["preparer"])
    _board(world, people)
    for name in ("administrator", "west manager", "board administrator"):
        email = f"new@{people[name].organization.slug}.example.test"
        invitations.invite(people[name], email=email, name="New", role=Role.READER)
    _of_casinos(world, people)
    _events(world)
    return world


def _rows_of(world: World, organization: Organization) -> None:
    """A draft, a draft that was withdrawn, one that was deleted, and a filing in each other status."""
    by = Person.objects.filter(organization=organization, role=Role.MANAGER, is_active=True).earliest("pk")
    for name, status in (("draft", Status.DRAFT), ("withdrawn draft", Status.WITHDRAWN), ("deleted", Status.DELETED)):
        row = world.name(filing_rows.draft(by), f"{organization.slug} {name}")
        Submission.objects.filter(pk=row.pk).update(status=status)
    for status, chapter in STATUSES.items():
        revision = filing_rows.filing(by, chapter, status=status, findings=[])
        world.name(revision.submission, f"{organization.slug} {status}")
        if status == Status.FILED:
            record_event(by, revision.submission, "filed")
            world.layouts[layout_row(revision).number] = f"{organization.slug} filed"
    send(by, {"action": "create", "chapter": "687a"}, mode=Batch.Mode.VALIDATE)


def _approved(world: World, manager: Person) -> None:
    """A version in effect with its signed document, of each casino."""
    for by in (manager, cast.stranger()):
        revision = filing_rows.filing(by, "635a", wagers=[], findings=[])
        world.name(revision.submission, f"{by.organization.slug} approved")
        filing_rows.put_in_force(revision, DAY, by)
    revision = Revision.objects.get(submission__number=world.number("east approved"))
    signed = StoredFile.keep(b"%PDF-", "application/pdf")
    Document.objects.create(revision=revision, signed=signed, **_seal())
    world.arguments |= {"approved": revision.submission.number, "signed": signed.pk}


def _seal() -> dict[str, object]:
    now = timezone.now()
    return {
        "unsigned_sha256": "1" * 64,
        "pages": 1,
        "signer": "Seal",
        "signed_at": now,
        "verification": {},
        "demo": True,
    }


def _worked_on(world: World, people: dict[str, Person]) -> None:
    """By the actions: a draft, a filing with comments, and a returned filing that its licensee changes again."""
    preparer, manager, analyst = people["preparer"], people["manager"], people["analyst"]
    filed = world.name(ready_to_file(preparer, "686a"), "east filed, with comments")
    filing.file_submission(manager, filed, version=filed.version, attested=True)
    comments.write_comment(analyst, filed, revision=1, audience="board", text="internal")
    undisclosed = comments.write_comment(analyst, filed, revision=1, audience="licensee", text="not disclosed yet")
    comments.resolve_comment(analyst, undisclosed, text="resolved before any decision")
    returned = world.name(ready_to_file(preparer, "688a"), "east returned")
    filing.file_submission(manager, returned, version=returned.version, attested=True)
    comments.write_comment(analyst, returned, revision=1, audience="board", text="internal, returned")
    question = comments.write_comment(
        analyst, returned, revision=1, audience="licensee", text="question", option="house_rules"
    )
    returned.refresh_from_db()
    decisions.return_to_licensee(analyst, returned, version=returned.version, reason="One thing.")
    returned.refresh_from_db()
    question.refresh_from_db()
    attachments.attach_file(preparer, returned, "house_rules", "never filed.pdf", files.pdf(Lang="en"))
    questions.answer_question(preparer, question, kind=Reply.Kind.ANSWER, text="answer, not filed yet")
    handover.write_line_comment(preparer, returned, option="house_rules", text="on the returned filing")
    draft = world.name(drafts.start_submission(preparer, "687a"), "east draft, with comments")
    handover.write_line_comment(preparer, draft, option="adjacent_boxes", text="on the draft")
    table_groups.add_group(preparer, draft, table_groups.GroupDescription("High limit", "3"))
    attached = returned.attachments.earliest("pk")
    world.arguments |= {
        "draft": draft.number, "filed": filed.number, "returned": returned.number, "question": question.pk,
        "remark": undisclosed.pk, "attachment": attached.stored_id,
        "unfiled": returned.attachments.latest("pk").stored_id,
    }  # fmt: skip


def _layouts(world: World, preparer: Person) -> None:
    """A filed layout with a second drawing that was never filed, and a layout that was never filed."""
    returned, filed = (Revision.objects.get(submission__number=world.arguments[name]) for name in ("returned", "filed"))
    shown = layout_row(returned)
    drawing, unfiled = shown.drawings.get(), drawing_row(shown, returned)
    laid = layout_filings.start_layout_filing(preparer, filed.submission, 0, ["layout"])
    never_filed = drawing_row(laid, filed)
    world.layouts |= {shown.number: "east filed, with drawings", laid.number: "east draft"}
    paper = StoredFile.keep(b"%PDF-sign", "application/pdf")
    Paper.objects.create(layout_revision=shown.revisions.get(), part="sign", signed=paper, **_seal())
    world.arguments |= {
        "shown": shown.number, "laid": laid.number, "drawing": drawing.pk, "unfiled_drawing": unfiled.pk,
        "never_filed": never_filed.pk, "drawing_file": drawing.stored_id, "unfiled_file": unfiled.stored_id,
        "never_filed_file": never_filed.stored_id, "paper": paper.pk,
    }  # fmt: skip


def _board(world: World, people: dict[str, Person]) -> None:
    """Orders and rulemakings of the Board, and the security log."""
    order = waiver(people["director"], text="for East")
    Order.objects.create(
        number="BO-2026-90000", kind="order", citation="§ 601a.2", all_licensees=True, first_day=DAY,
        text="for all", by=people["analyst"], at=timezone.now(),
    )  # fmt: skip
    drafted = written(people["analyst"], head() + '[chapter]\nstatus = "final"\n', title="draft")
    published = written(people["analyst"], title="published")
    Rulemaking.objects.filter(pk=published.pk).update(state=Rulemaking.State.PUBLISHED, published_at=timezone.now())
    withdrawn = written(people["analyst"], title="withdrawn")
    Rulemaking.objects.filter(pk=withdrawn.pk).update(state=Rulemaking.State.WITHDRAWN)
    fail("192.0.2.7")
    for name in ("manager", "west manager", "analyst", "east test program"):
        sign_in(world.people[name])
    world.arguments |= {"order": order.number, "rulemaking": drafted.number, "published": published.number}


def _of_casinos(world: World, people: dict[str, Person]) -> None:
    """Table lists, a stand-in, webhooks, and what is one person's: filters, notices, exports, a session."""
    manager, chief, day = people["manager"], people["administrator"], timezone.localdate() + timedelta(days=30)
    for by, number in ((manager, "12"), (people["west manager"], "13")):
        enter(by, (number, "686a", "2"))
    trial = Organization.objects.get(sandbox_of=manager.organization)
    record_event(None, None, "webhook-made", organization=trial, after={"host": "hooks.example.test", "verbs": []})
    enter(api_credentials.sandbox_signer(trial), ("14", "686a"))
    stand_in = stand_ins.name_stand_in(manager, people["preparer"], first_day=day, last_day=day, reason="Vacation.")
    stand_ins.name_stand_in(
        people["west manager"], people["west preparer"], first_day=day, last_day=day, reason="Vacation."
    )
    webhook = webhooks.create_webhook(chief, url="https://hooks.example.test/").webhook
    for by, live in ((chief, False), (people["west manager"], True), (people["board administrator"], True)):
        webhooks.create_webhook(by, url="https://hooks.example.test/", live=live)
    for name in ("manager", "analyst"):
        export = request_export(people[name], ExportRequest(KIND, f"{name}.csv", CSV, 1, "", {"keys": [1]}))
        kept = SavedFilter.objects.create(person=people[name], name=name, query="words=687a")
        world.arguments |= {f"{name}_export": export.pk, f"{name}_filter": kept.pk}
    filed = Event.objects.filter(submission__number=world.arguments["filed"], verb="saved").earliest("pk")
    for name in ("reader", "analyst", "west reader"):  # to another casino by mistake: it is not shown
        Notice.objects.create(person=people[name], event=filed, submission=filed.submission, words=name, at=filed.at)
    started = Event.objects.filter(submission__number=world.arguments["draft"]).earliest("pk")
    Notice.objects.create(
        person=people["analyst"], event=started, submission=started.submission, words="of a draft", at=started.at
    )
    session = UserSession.objects.create(user=manager, ip="127.0.0.1", session_key="a" * 32, user_agent="Firefox")
    simulated = filing_rows.filing(manager, "682a")
    world.arguments |= {
        "sandbox": world.number("east-sandbox filed"),
        "sandbox_layout": next(number for number, name in world.layouts.items() if name == "east-sandbox filed"),
        "sandbox_batch": Batch.objects.get(organization=trial).number,
    }
    world.arguments |= {
        "colleague": people["preparer"].pk, "stand_in": stand_in.pk, "session": session.pk,
        "invitation": Invitation.objects.get(organization=manager.organization).pk,
        "credential": made(manager.organization, scopes=["prepare"]).credential.pk,
        "webhook": webhook.pk, "delivery": webhooks.send_test(chief, webhook).key,
        "batch": send(people["preparer"], {"action": "create", "chapter": "686a"}, needs_confirmation=True).number,
        "job": start_simulations(simulated)[0].pk, "licensee": manager.organization.slug,
    }  # fmt: skip


def _events(world: World) -> None:
    """Name the events of named submissions: "east returned: saved", then "east returned: saved again"."""
    for event in Event.objects.filter(submission__number__in=world.submissions).select_related("submission"):
        name = f"{world.submissions[event.submission.number]}: {event.verb}"
        while name in world.events.values():
            name += " again"
        world.events[event.pk] = name
